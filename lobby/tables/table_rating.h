#pragma once

#include "lobby/ratings/rated_game.h"
#include "lobby/tables/tables_state.h"

/* Rates the games played at tables (lobby/ratings/rating.h). */

/* Reads the players for whom the current game is rated, or one that began now: their accounts,
 * their ratings before the game, and how much they count for each other if nobody leaves. */
void table_rating_read_players(struct house *house, const struct table *table,
                               struct rated_game *game);

/* Rates a finished game: stores the players' new ratings, the rating changes, and the statistics.
 * Call it before the game itself is stored as finished. */
void table_rate_game(struct house *house, struct table *table, const struct game_outcome *outcome);

/* True when a game that begins now may be rated, as far as is known before its end. */
bool table_may_be_rated(struct house *house, const struct table *table);

/* Reads the rating of the seat's holder in the table's game, for the message `table`. */
void table_read_seat_rating(struct house *house, struct table *table, int seat);

/* Returns the sentence shown when a game begins: that it is rated, or why it is not. */
const char *table_rating_game_start_sentence(struct house *house, const struct table *table);
