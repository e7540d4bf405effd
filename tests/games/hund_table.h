#pragma once

#include "games/hund/hund.h"
#include "games/registry.h"
#include "tests/games/played.h"

/* Tables of HUND for tests: with chosen hands, and with moves written as in histories. */

struct hund_setup {
    uint8_t players;
    bool has_more, has_sets;
    const char *hands[5]; /* hands as "grey-1 pink-2", all of the same length; the virtual player's
                             hand too */
    uint8_t number;       /* the designating number of the round, without `select` */
    uint8_t dealer, first;
    uint8_t round; /* 0: the current number of rounds is the first choice */
};

struct game_config hund_table_make_config(uint8_t players, bool has_more, bool has_sets);

/* A game at the start of a round: the first player is about to play, or the first set is about to
 * be selected. */
struct game_state hund_table_start_round(const struct hund_setup *setup);

uint8_t hund_table_find_card(const char *name);
enum game_result hund_table_try_move(struct game_state *state, uint8_t seat, const char *move);

/* Makes moves written as "1 play:grey-1", in order. */
#define HUND_MAKE(state, ...)                                                                      \
    do {                                                                                           \
        const char *const moves[] = {__VA_ARGS__};                                                 \
        played_make_moves(&hund_game, state, moves, ARRAY_LEN(moves), NULL);                       \
    } while (0)

/* Copies the game's own state out of the general state, to inspect or change it, and back. */
struct hund hund_table_copy_state_out(const struct game_state *state);
void hund_table_copy_state_in(const struct hund *open, struct game_state *state);
