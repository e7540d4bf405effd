#ifndef LOBBY_RATINGS_LEADER_ROW_H
#define LOBBY_RATINGS_LEADER_ROW_H

#include "lobby/house/house_state.h"
#include "storage/ratings/leaders.h"
#include "storage/ratings/tallies.h"

/* Statistics as the messages tell them (PROTOCOL.md, "A leaders row"). */

/* `part` of `whole` in percent with one decimal; 0 of nothing. */
double leader_percent(double part, double whole);

/* Games, wins, places, the game's own statistic and how many were finished, into `row`. */
void leader_put_tally(json_t *row, const struct storage_tally *tally);

/* The numbers of a rating as of `at_ms`: points, deviation, whether it is provisional, streak,
 * best.
 */
void leader_put_rating(json_t *row, const struct storage_rating *rating, int64_t at_ms);

/* A whole row. */
json_t *leader_row(const struct storage_leader *leader, int64_t at_ms);

#endif
