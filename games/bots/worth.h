#pragma once

#include "games/game.h"
#include "games/table.h"

/* What a player of a game wants: a member of struct encode_traits (bots/encode.h). */
struct worth_goal {
    float points_unit;   /* as many points count as 1 */
    float win_worth;     /* what a game won counts */
    bool is_zero_wanted; /* a total of 0, or a little more, is wanted, not a high one */
};

/* What the change of the totals since `before` is worth to the seat: what it has gained above the
 * mean gain of the other players, in the goal's unit. */
float worth_of_round(const struct game_def *game, const int16_t before[SEATS_MAX],
                     const struct table_state *after, uint8_t seat);

/* What the end of a finished game is worth to the seat: the goal's `win_worth` to a winner, a part
 * of it if several have won. */
float worth_of_end(const struct game_def *game, const struct game_state *state, uint8_t seat);
