#include "daemon/session/pulse.h"

#include <libssh/server.h>

void pulse_init(struct pulse *pulse, ssh_session session, int64_t now_ms)
{
    *pulse = (struct pulse){.due_ms = now_ms + PULSE_QUIET_MS};
    ssh_set_counters(session, &pulse->bytes, NULL);
}

enum pulse_verdict pulse_judge(struct pulse *pulse, uint64_t heard_bytes, int64_t now_ms)
{
    if (heard_bytes != pulse->heard_bytes) {
        pulse->heard_bytes = heard_bytes;
        pulse->asked = 0;
        pulse->due_ms = now_ms + PULSE_QUIET_MS;
    }
    if (now_ms < pulse->due_ms) {
        return PULSE_ALIVE;
    }
    if (pulse->asked == PULSE_ASKED_MAX) {
        return PULSE_DEAD;
    }
    pulse->asked++;
    pulse->due_ms = now_ms + PULSE_QUIET_MS;
    return PULSE_ASK;
}

bool pulse_beat(struct pulse *pulse, ssh_session session, int64_t now_ms)
{
    switch (pulse_judge(pulse, pulse->bytes.in_bytes, now_ms)) {
    case PULSE_ALIVE:
        return true;
    case PULSE_DEAD:
        return false;
    case PULSE_ASK:
        break;
    }
    /* In non-blocking mode a call may only take note of the answer to the one before. */
    uint64_t sent = pulse->bytes.out_bytes;
    for (int i = 0; i < 2 && pulse->bytes.out_bytes == sent; i++) {
        ssh_send_keepalive(session);
    }
    return true;
}
