#pragma once

#include "games/heckin_hounds/heckin_hounds.h"
#include "games/registry.h"
#include "tests/games/played.h"

/*
 * A table of three players with the deal published in HISTORY.md; seat 1 is the leader:
 *
 * seat 0: tom-dire-3 paulgrave-1 evil-molly-3 paulgrave-4 deathpaw-4
 *
 * seat 1: sudachi-3 paulgrave-3 evil-molly-1 deathpaw-2 deathpaw-1
 *
 * seat 2: sudachi-2 deathpaw-3 evil-molly-4 tom-dire-4 tom-dire-2
 *
 * dead hand: tom-dire-1 evil-molly-2 sudachi-1 sudachi-4 paulgrave-2 mops-1 … mops-4
 */
struct game_state hounds_table_as_dealt(void);

/* Makes moves written as "1 bad:mops", in order. */
#define HOUNDS_MAKE(state, ...)                                                                    \
    do {                                                                                           \
        const char *const hounds_moves[] = {__VA_ARGS__};                                          \
        played_make_moves(&heckin_hounds_game, state, hounds_moves, ARRAY_LEN(hounds_moves),       \
                          NULL);                                                                   \
    } while (0)

/* Names the bad dog and gives all clues: to seat 0 the threes and its first two slots, to seat 2
 * its last three slots. The next move gives Cerberus. */
void hounds_make_clues(struct game_state *state, const char *bad);

/* Makes the move with that text and returns the result. */
enum game_result hounds_try_move(struct game_state *state, uint8_t seat, const char *move);

struct game_view hounds_view_of(const struct game_state *state, int8_t seat);

/* The card with that name. */
uint8_t hounds_find_card(const char *name);

/* Puts the card into a slot. */
void hounds_put_card(struct game_state *state, uint8_t seat, uint8_t slot, const char *name);
