#pragma once

#include "lobby/protocol/clock_rule.h"

#include <stddef.h>

/*
 * What a type of clock is, as data: one entry of clock_types.c for each kind of STORED_CLOCK_KINDS.
 * Reading, writing, bounds, offers on screens and the running of time all follow that entry.
 */

/* How a bank of time runs: each seat has time_s for all its moves. While a turn runs, the bank
 * holds what is left of the turn, but never more than at its beginning. */
struct clock_bank {
    /* The time of a turn that begins with bank_ms in the bank. */
    int64_t (*turn_ms)(const struct clock_rule *rule, int64_t bank_ms);
    /* The bank after a move that leaves left_ms in it. */
    int64_t (*moved_ms)(const struct clock_rule *rule, int64_t left_ms);
};

struct clock_type {
    const char *time_key; /* of time_s in JSON; NULL: no time limit, and no numbers */
    uint32_t unit_s;      /* 1 or CLOCK_DAY_S: time_s is a multiple of it and counts it in JSON */
    uint32_t time_min_s, time_max_s;

    const char *increment_key; /* of increment_s in JSON; NULL: there is none */
    char increment_mark;       /* between the two numbers as people write them; 0: there is one */
    uint32_t increment_max_s;

    bool is_live;                  /* the game is played in one sitting */
    const struct clock_bank *bank; /* NULL: time_s is for each move */

    const struct clock_rule *offers; /* screens list these; any other valid rule may be typed */
    size_t offer_count;
    const char *sentence; /* describes a rule: the arguments are its time and its increment */
};

/* The type of a kind. */
const struct clock_type *clock_type_of(enum clock_kind kind);

/* The sentence that names every type, for the answer to an invalid rule. */
const char *clock_types_refusal(void);
