#pragma once

#include "games/hund/hund.h"
#include "games/registry.h"
#include "tests/games/played.h"

/* Tables of HUND for tests: with chosen hands, and with moves written as in histories. */

struct hund_setup {
    uint8_t players;
    bool has_more_cards, has_select;
    const char *hands[5]; /* the hands, such as "grey-1 pink-2", all of the same length; includes
                             the virtual player's hand */
    uint8_t number;       /* the round's designating number, in a game without `select` */
    uint8_t dealer, first;
    uint8_t round; /* 0: the default number of rounds */
};

struct game_config hund_table_make_config(uint8_t players, bool has_more_cards, bool has_select);

/* Returns a game at the start of a round: the first player is about to play, or the first
 * designating card is about to be selected. */
struct game_state hund_table_start_round(const struct hund_setup *setup);

uint8_t hund_table_find_card(const char *name);
enum game_result hund_table_try_move(struct game_state *state, uint8_t seat, const char *move);

/* Makes the moves, each written as seat and move such as "1 play:grey-1", in order. */
#define HUND_MAKE(state, ...)                                                                      \
    do {                                                                                           \
        const char *const moves[] = {__VA_ARGS__};                                                 \
        played_make_moves(&hund_game, state, moves, ARRAY_LEN(moves), NULL);                       \
    } while (0)

/* Copy the HUND state out of the general game state, to inspect or change it, and back into the
 * general state. */
struct hund hund_table_get_state(const struct game_state *state);
void hund_table_set_state(const struct hund *hund_state, struct game_state *state);
