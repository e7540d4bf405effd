#pragma once

#include "games/game.h"
#include "games/heckin_hounds/heckin_hounds.h"
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
struct game_state hounds_deal_table(void);

/* Makes the moves, each written as seat and move such as "1 bad:mops", in order. */
#define HOUNDS_MAKE(state, ...)                                                                    \
    do {                                                                                           \
        const char *const hounds_moves[] = {__VA_ARGS__};                                          \
        played_make_moves(&heckin_hounds_game, state, hounds_moves, ARRAY_LEN(hounds_moves),       \
                          NULL);                                                                   \
    } while (0)

/* Makes seat 1, the leader, name the bad dog and give all clues: to seat 0 the threes and its first
 * two slots, to seat 2 its last three slots. Next, seat 1 has to choose the player who gets
 * Cerberus. */
void hounds_give_all_clues(struct game_state *state, const char *bad_dog);

/* Makes the move with this text and returns the result. */
enum game_result hounds_try_move(struct game_state *state, uint8_t seat, const char *move);

struct game_view hounds_make_view(const struct game_state *state, int8_t seat);

/* Returns the card with this name. */
uint8_t hounds_find_card(const char *name);

/* Puts the card with this name into a slot of the seat's hand. */
void hounds_put_card(struct game_state *state, uint8_t seat, uint8_t slot, const char *name);
