#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * A move is a small number that means the same in every state of its game. Each game assigns its
 * own numbers and writes them as the texts in HISTORY.md. Legal moves are a bit set.
 */

#define MOVES_MAX 192
#define MOVE_NONE 0xFF
#define MOVE_TEXT_MAX 40

struct move_set {
    uint64_t bits[MOVES_MAX / 64];
};

static inline struct move_set move_set_empty(void)
{
    return (struct move_set){{0}};
}

static inline void move_set_add(struct move_set *set, uint8_t move)
{
    set->bits[move / 64] |= UINT64_C(1) << (move % 64);
}

static inline bool move_set_has(const struct move_set *set, uint8_t move)
{
    return move < MOVES_MAX && (set->bits[move / 64] >> (move % 64) & 1) != 0;
}

/* The number of moves in the set. */
uint8_t move_set_count(const struct move_set *set);

/* The nth move in ascending order, counted from 0; n is less than the number of moves. */
uint8_t move_set_nth(const struct move_set *set, uint8_t n);

/* The lowest move in the set that is at least `from`; MOVE_NONE when there is none. For loops: for
 * (m = move_set_next(s, 0); m != MOVE_NONE; m = move_set_next(s, m + 1)) */
uint8_t move_set_next(const struct move_set *set, unsigned from);
