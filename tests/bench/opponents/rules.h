#pragma once

#include "games/game.h"

/* What the fixed opponent `tree` (tree.h) knows of each game besides its rules. */
struct tree_rules {
    const char *game_id;
    uint32_t worlds_most;    /* how many deals are imagined for a move, at most */
    uint8_t secret_phases;   /* bit p: in phase p, nobody sees what the others do */
    uint8_t choosing_phases; /* bit p: in phase p, `choose` makes the move without a search */

    /* A legal move in choosing_phases, for the view's seat, whose turn it is. */
    uint8_t (*choose)(const struct game_view *view, const struct game_config *config,
                      struct quick_random *random);

    /* The move of a seat in a play-out; it depends on what the seat may know. NULL: any legal
     * move. */
    uint8_t (*light)(const void *state, uint8_t seat, const struct move_set *legal,
                     struct quick_random *random);

    /* How good the end of the round is for each seat, about 0 to 1; `before` are the totals of the
     * view. */
    void (*reward)(const int16_t before[SEATS_MAX], const void *state, float out[SEATS_MAX]);
};

/* Returns the rules for the game. A game that the opponent does not know gets random play-outs and
 * is played for more points than the others get. */
const struct tree_rules *tree_rules_find(const struct game_def *game);

/* A random move of the set, each equally likely. */
uint8_t tree_rules_random_move(const struct move_set *moves, struct quick_random *random);

/* The parts of single games, each in a file of its own. */
uint8_t tree_light_oh_hell(const void *state_bytes, uint8_t seat, const struct move_set *legal,
                           struct quick_random *random);
uint8_t tree_light_hund(const void *state_bytes, uint8_t seat, const struct move_set *legal,
                        struct quick_random *random);
uint8_t tree_choose_hounds(const struct game_view *view, const struct game_config *config,
                           struct quick_random *random);
uint8_t tree_choose_suppose(const struct game_view *view, const struct game_config *config,
                            struct quick_random *random);
void tree_reward_hounds(const int16_t before[SEATS_MAX], const void *state_bytes,
                        float out[SEATS_MAX]);
