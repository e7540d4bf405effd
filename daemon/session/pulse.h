#pragma once

#include <stdint.h>

/*
 * Keepalives, which detect a dead connection. After quiet_ms without a byte from the client, the
 * client is asked a question that every client answers. After asked_max unanswered questions in a
 * row the connection counts as dead.
 */
struct pulse {
    int64_t quiet_ms;
    int asked_max;
    uint64_t heard_bytes;
    int64_t due_ms;
    int asked; /* number of questions since the last byte */
};

enum pulse_verdict {
    PULSE_ALIVE = 0,
    PULSE_ASK, /* ask a question now */
    PULSE_DEAD,
};

void pulse_init(struct pulse *pulse, int64_t quiet_ms, int asked_max, int64_t now_ms);

/* Judges the connection; call it in each turn. `heard_bytes` is the number of bytes received so
 * far. */
enum pulse_verdict pulse_judge(struct pulse *pulse, uint64_t heard_bytes, int64_t now_ms);
