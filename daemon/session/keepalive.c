#include "daemon/session/session_state.h"

void keepalive_init(struct keepalive *keepalive, int64_t quiet_ms, int questions_max,
                    int64_t now_ms)
{
    *keepalive = (struct keepalive){
        .quiet_ms = quiet_ms,
        .questions_max = questions_max,
        .due_ms = now_ms + quiet_ms,
    };
}

enum keepalive_verdict keepalive_judge_connection(struct keepalive *keepalive, uint64_t heard_bytes,
                                                  int64_t now_ms)
{
    if (heard_bytes != keepalive->heard_bytes) {
        keepalive->heard_bytes = heard_bytes;
        keepalive->asked = 0;
        keepalive->due_ms = now_ms + keepalive->quiet_ms;
    }
    if (now_ms < keepalive->due_ms) {
        return KEEPALIVE_ALIVE;
    }
    if (keepalive->asked == keepalive->questions_max) {
        return KEEPALIVE_DEAD;
    }
    keepalive->asked++;
    keepalive->due_ms = now_ms + keepalive->quiet_ms;
    return KEEPALIVE_ASK;
}
