#ifndef TESTS_GAMES_HUND_TABLE_H
#define TESTS_GAMES_HUND_TABLE_H

#include "games/hund/hund.h"
#include "games/registry.h"
#include "tests/games/played.h"

/* Tables of HUND set up for one test: hands dealt on purpose, moves written as in histories. */

struct hund_setup {
    uint8_t players;
    bool has_more, has_sets;
    const char *hands[5]; /* "grey-1 pink-2", all of the same length; the virtual one too */
    uint8_t number;       /* designates, without `select` */
    uint8_t dealer, first;
    uint8_t round; /* 0: the first */
};

struct game_config hund_table_config(uint8_t players, bool has_more, bool has_sets);

/* A game at the beginning of a round, the first player about to play or the sets to be selected. */
struct game_state hund_table(const struct hund_setup *setup);

uint8_t hund_table_card(const char *name);
enum game_result hund_table_try(struct game_state *state, uint8_t seat, const char *move);

/* Makes moves written "1 play:grey-1", in order. */
#define HUND_MAKE(state, ...)                                                                      \
    do {                                                                                           \
        const char *const moves[] = {__VA_ARGS__};                                                 \
        played_make(&hund_game, state, moves, ARRAY_LEN(moves), NULL);                             \
    } while (0)

/* The state itself, to look into or to prepare. */
struct hund hund_table_open(const struct game_state *state);
void hund_table_close(const struct hund *open, struct game_state *state);

#endif
