#pragma once

#include "lobby/tables/tables_state.h"
#include "storage/tables/clocks.h"

/*
 * A respite from deadlines makes an absence of days cost one move, not one at every table. It
 * begins with the first deadline that an absent player misses at a turn-by-turn table. For
 * RESPITE_MS, none of the player's deadlines falls due at any table. Each absence gets one respite;
 * after it, deadlines run as usual.
 */
#define RESPITE_MS (7 * INT64_C(86400000))
/* The least time until the deadline of each move after the player has returned. */
#define RESPITE_RETURN_MS INT64_C(86400000)

/* Returns when the stored respite from deadlines ends, in unix ms; 0: there is none. */
int64_t deadline_respite_end_ms(const struct storage_time_away *time);

/* Begins a respite from deadlines for the player on this seat, who has missed a deadline of a
 * turn-by-turn game, if the player is entitled to one. */
void deadline_respite_begin(struct house *house, const struct storage_seat *holder);

/* Ends the respite from deadlines of a player who has come into the house, made a move, or become
 * active after a long silence. The player's next absence gets a new respite. */
void deadline_respite_end(struct house *house, int64_t account);
