#pragma once

#include "games/bots/search.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A hint: what a strong bot would choose in a player's place, and which points it expects of each
 * move. It is made in the session from the player's own view, so it reveals nothing that this
 * player may not know.
 */
struct hint {
    uint8_t move;      /* the bot's choice */
    bool is_only_move; /* there is no other legal move */
    uint8_t count; /* number of moves in `choices`; 0: the bot has expected no points, because there
                      is only one move or because it could not search */
    struct search_choice choices[MOVES_MAX]; /* the bot's choice first; then from most to fewest
                                                points, or, if few points win the game, as the bot
                                                likes them */
};

/* Makes the hint for the view's seat, whose turn it is, in a few milliseconds. The same view,
 * config and number of the game always give the same hint. */
void hint_make(struct hint *hint, const struct game_view *view, const struct game_config *config,
               int64_t game_id);

/* Returns what the bot found about the move; NULL if it expected no points of it. */
const struct search_choice *hint_find_choice(const struct hint *hint, uint8_t move);
