#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the other end still lives: after quiet_ms without a byte from it, it is asked for
 * one (which every client answers), and again, and once it has been asked asked_max times without
 * an answer it counts as gone.
 */
struct pulse {
    int64_t quiet_ms;
    int asked_max;
    uint64_t heard_bytes;
    int64_t due_ms;
    int asked; /* since it was last heard */
};

enum pulse_verdict {
    PULSE_ALIVE = 0,
    PULSE_ASK, /* it is time to ask */
    PULSE_DEAD,
};

void pulse_init(struct pulse *pulse, int64_t quiet_ms, int asked_max, int64_t now_ms);

/* Call each turn; `heard_bytes` are all that ever came. */
enum pulse_verdict pulse_judge(struct pulse *pulse, uint64_t heard_bytes, int64_t now_ms);
