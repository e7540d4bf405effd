#pragma once

#include "games/game.h"
#include "games/hund/hund.h"
#include "tests/games/played.h"

/* Tables of the game HUND for tests: with chosen hands, and with moves written as in histories. */

struct hund_setup {
    uint8_t players;
    bool has_more_cards, has_select;
    const char *hands[5]; /* the cards of each seat, such as "grey-1 pink-2"; all hands have the
                             same size. The virtual player's hand comes last */
    uint8_t number; /* in a game without the option `select`: a card of this value gives its suit a
                       role */
    uint8_t dealer, first;
    uint8_t round; /* number of the round; 0: the first round */
};

struct game_config hund_table_make_config(uint8_t players, bool has_more_cards, bool has_select);

/* Returns a game at the start of a round. Next, the first player plays or, with the option
 * `select`, the players select the designating cards. */
struct game_state hund_table_start_round(const struct hund_setup *setup);

uint8_t hund_table_find_card(const char *name);
enum game_result hund_table_try_move(struct game_state *state, uint8_t seat, const char *move);

/* Makes the moves, each written as seat and move such as "1 play:grey-1", in order. */
#define HUND_MAKE(state, ...)                                                                      \
    do {                                                                                           \
        const char *const moves[] = {__VA_ARGS__};                                                 \
        played_make_moves(&hund_game, state, moves, ARRAY_LEN(moves), NULL);                       \
    } while (0)

/* A test may copy the HUND state out of a general game state, inspect or change it, and copy it
 * back. */
struct hund hund_table_get_state(const struct game_state *state);
void hund_table_set_state(const struct hund *hund_state, struct game_state *state);
