#pragma once

#include "lobby/tables/tables_state.h"

/* Ratings after a game, as RATINGS.md describes. */

/* The weight for ratings of the current game, or of one that began now: it falls when the same
 * people play again within a day. */
double table_rating_weight(struct house *house, const struct table *table);

/* Rates a finished game that counts: stores the players' ratings, their statistics and the changes.
 * Call it before the game itself is stored as finished. */
void table_rate_game(struct house *house, struct table *table, const struct game_outcome *outcome);

/* Whether the game that begins now may be rated, as far as is known before its end. */
bool table_may_be_rated(struct house *house, const struct table *table);

/* Reads the holder's rating in this game, for the `table` message. */
void table_read_seat_rating(struct house *house, struct table *table, int seat);

/* The sentence shown when a game begins: whether it is rated, or why not. */
const char *table_rating_words(struct house *house, const struct table *table);
