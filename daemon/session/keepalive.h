#pragma once

#include <stdint.h>

/*
 * Keepalives detect dead connections. If no byte has come from the client for quiet_ms, the client
 * is asked a question that every client answers. After questions_max questions in a row without an
 * answer the connection counts as dead.
 */
struct keepalive {
    int64_t quiet_ms;
    int questions_max;
    uint64_t heard_bytes;
    int64_t due_ms;
    int asked; /* number of questions since a byte last arrived */
};

enum keepalive_verdict {
    KEEPALIVE_ALIVE = 0,
    KEEPALIVE_ASK, /* ask the client now whether it is alive */
    KEEPALIVE_DEAD,
};

void keepalive_init(struct keepalive *keepalive, int64_t quiet_ms, int questions_max,
                    int64_t now_ms);

/* Judges whether the connection is alive; call it in each pass of the session's loop. `heard_bytes`
 * is the number of bytes received so far. */
enum keepalive_verdict keepalive_judge_connection(struct keepalive *keepalive, uint64_t heard_bytes,
                                                  int64_t now_ms);
