#pragma once

#include "lobby/protocol/clock_rule.h"

#include <stddef.h>

/*
 * Each type of clock as data: one entry of clock_types.c for each kind of STORED_CLOCK_KINDS.
 * Reading, writing, bounds, the list on screens and the running of time all use that entry.
 */

/* The rules of a time bank: each seat has time_s seconds for all its moves. A turn may last longer
 * than the time left in the bank, but takes no more from the bank than is left in it. */
struct clock_bank {
    /* Returns the most time that a turn may take if the bank holds bank_ms at its start. */
    int64_t (*turn_ms)(const struct clock_rule *rule, int64_t bank_ms);
    /* Returns what the bank holds after a move that was made with left_ms left in the bank. */
    int64_t (*moved_ms)(const struct clock_rule *rule, int64_t left_ms);
};

struct clock_type {
    const char *time_key; /* key of the time in JSON; NULL: the clock has no time limit */
    uint32_t unit_s; /* unit of the time in JSON: 1 or CLOCK_DAY_S; time_s is a multiple of it */
    uint32_t time_min_s, time_max_s;

    const char *increment_key; /* key of the increment in JSON; NULL: there is no increment */
    char increment_mark; /* the sign between time and increment as people write them; 0: there is
                            only one number */
    uint32_t increment_max_s;

    bool is_live;                  /* true if the game is played in one sitting */
    const struct clock_bank *bank; /* the rules of the time bank; NULL: the time is for each move */

    /* clocks that screens offer; people may type any other valid clock */
    const struct clock_rule *offers;
    size_t offer_count;
    const char *sentence; /* a sentence that describes a clock; its arguments are the time and the
                             increment */
};

/* Returns the entry of clock_types.c for this kind of clock. */
const struct clock_type *clock_type_of(enum clock_kind kind);

/* Returns the sentence that refuses an invalid clock; it lists every type. */
const char *clock_types_invalid_clock_sentence(void);
