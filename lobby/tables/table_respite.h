#ifndef LOBBY_TABLES_TABLE_RESPITE_H
#define LOBBY_TABLES_TABLE_RESPITE_H

#include "lobby/house/house_state.h"
#include "storage/tables/clocks.h"

/*
 * Days away cost one move, not one at every table. The first deadline that somebody who is away
 * misses at a turn-by-turn table begins their respite: none of their deadlines, at any table, falls
 * into the RESPITE_MS after it. It is given once, until they are back. Whoever stays away longer
 * misses deadlines as the clocks say.
 */
#define RESPITE_MS (7 * INT64_C(86400000))
#define RESPITE_RETURN_MS INT64_C(86400000) /* who is back has at least this long everywhere */

/* Until when the stored respite lasts, unix ms; 0: there is none. */
int64_t respite_until_ms(const struct storage_player_time *time);

/* The person on this seat has missed a deadline of a turn-by-turn game. */
void respite_begin(struct house *house, const struct storage_seat *holder);

/* A player is back: they have come into the house, moved, or stirred after a long silence. Their
 * next absence gets a respite of its own. */
void respite_end(struct house *house, int64_t account);

#endif
