#include "daemon/session/pulse.h"

void pulse_init(struct pulse *pulse, int64_t now_ms)
{
    *pulse = (struct pulse){.due_ms = now_ms + PULSE_QUIET_MS};
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
