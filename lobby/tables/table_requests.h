#pragma once

#include "lobby/house/request.h"
#include "lobby/tables/tables_state.h"

/* Checks for requests about a table. Each answers the request with `no` when it fails. They are
 * needs of messages too:
 *
 *     table       the requester has entered a table, which the request then has
 *     idle_table  and no game is on there
 *     own_table   and the requester is its host
 *     seat        after one of those: the message names a seat there, which the request then has
 *     free_seat   the same, but the seat is empty; the first empty one when none is named
 *     change_rate request_is_within_rate
 */

/* True when this person stays within the limit of changes, which others are told of. */
bool request_is_within_rate(const struct request *request);

/* True when every person who sits here is ready for a game: they are connected and, after a game,
 * have asked for another one. */
bool request_players_are_ready(const struct request *request);

/* The seat asks for another game: stores that and tells everybody here. */
void table_ask_rematch(struct house *house, struct table *table, int seat);

/* True when every person still seated is connected and has asked for a rematch. */
bool table_rematch_is_agreed(const struct table *table);
