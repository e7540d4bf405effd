#ifndef LOBBY_TABLES_TABLE_RATING_H
#define LOBBY_TABLES_TABLE_RATING_H

#include "lobby/house/house_state.h"

/* Ratings after a game, by RATINGS.md. */

/* What the game that is on counts for ratings, or one that began now: less and less when the same
 * people play again within a day. */
double table_rating_weight(struct house *house, const struct table *table);

/* Rates a finished game that counts: its players' ratings and statistics and what changed are
 * stored. Before the game itself is stored as finished. */
void table_rate(struct house *house, struct table *table, const struct game_outcome *outcome);

/* Whether the game that begins now may be rated, as far as can be said before its end. */
bool table_may_be_rated(struct house *house, const struct table *table);

/* Reads what the holder is worth in this game, for the `table` message. */
void table_read_rating(struct house *house, struct table *table, int seat);

/* What people read when a game begins: whether it is rated, or why not. */
const char *table_rating_words(struct house *house, const struct table *table);

#endif
