#include "daemon/session/pulse.h"

void pulse_init(struct pulse *pulse, int64_t quiet_ms, int asked_max, int64_t now_ms)
{
    *pulse = (struct pulse){
        .quiet_ms = quiet_ms,
        .asked_max = asked_max,
        .due_ms = now_ms + quiet_ms,
    };
}

enum pulse_verdict pulse_judge(struct pulse *pulse, uint64_t heard_bytes, int64_t now_ms)
{
    if (heard_bytes != pulse->heard_bytes) {
        pulse->heard_bytes = heard_bytes;
        pulse->asked = 0;
        pulse->due_ms = now_ms + pulse->quiet_ms;
    }
    if (now_ms < pulse->due_ms) {
        return PULSE_ALIVE;
    }
    if (pulse->asked == pulse->asked_max) {
        return PULSE_DEAD;
    }
    pulse->asked++;
    pulse->due_ms = now_ms + pulse->quiet_ms;
    return PULSE_ASK;
}
