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

/* True when the requester stays within the rate limit for changes that others are told of, such as
 * opening tables; otherwise the request is answered. */
bool request_is_within_rate(const struct request *request);

/* True when all seated people are connected and, after a game, have asked for another one;
 * otherwise the request is answered. */
bool request_players_are_ready(const struct request *request);

/* Stores that the seat's holder asks for a rematch, and tells everybody at the table. */
void table_ask_rematch(struct house *house, struct table *table, int seat);

/* True when all seated people are connected and have all asked for a rematch. */
bool table_rematch_is_agreed(const struct table *table);

/* Returns the table whose number the message gives as `table`; NULL when there is none. */
struct table *request_named_table(const struct request *request);
