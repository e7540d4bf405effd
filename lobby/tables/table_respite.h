#pragma once

#include "lobby/tables/tables_state.h"
#include "storage/tables/clocks.h"

/*
 * A respite makes days away cost one move, not one at every table. It begins with the first
 * deadline that an absent player misses at a turn-by-turn table: for RESPITE_MS, none of their
 * deadlines falls due at any table. Each absence gets one respite; after it, deadlines run as
 * usual.
 */
#define RESPITE_MS (7 * INT64_C(86400000))
#define RESPITE_RETURN_MS INT64_C(86400000) /* least time once a player is back */

/* When the stored respite ends, unix ms; 0: there is none. */
int64_t respite_end_ms(const struct storage_player_time *time);

/* The person on this seat has missed a deadline of a turn-by-turn game. */
void respite_begin(struct house *house, const struct storage_seat *holder);

/* A player is back: they have come into the house, made a move, or become active after a long
 * silence. Their next absence gets a new respite. */
void respite_end(struct house *house, int64_t account);
