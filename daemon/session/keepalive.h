#pragma once

#include <stdint.h>

/*
 * Keepalives, which detect a dead connection. After quiet_ms without a byte from the client, the
 * client is asked a question that every client answers. After questions_max unanswered questions in
 * a row the connection counts as dead.
 */
struct keepalive {
    int64_t quiet_ms;
    int questions_max;
    uint64_t heard_bytes;
    int64_t due_ms;
    int asked; /* number of questions since the last byte */
};

enum keepalive_verdict {
    KEEPALIVE_ALIVE = 0,
    KEEPALIVE_ASK, /* ask the client now whether it is alive */
    KEEPALIVE_DEAD,
};

void keepalive_init(struct keepalive *keepalive, int64_t quiet_ms, int questions_max,
                    int64_t now_ms);

/* Judges the connection; call it in each turn. `heard_bytes` is the number of bytes received so
 * far. */
enum keepalive_verdict keepalive_check(struct keepalive *keepalive, uint64_t heard_bytes,
                                       int64_t now_ms);
