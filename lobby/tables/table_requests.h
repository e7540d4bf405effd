#pragma once

#include "lobby/house/request.h"
#include "lobby/tables/tables_state.h"

/* Checks for requests about a table. A check that fails answers the request with `no`.
 * messages.def also names these checks as needs of messages:
 *
 *     table       the requester has entered a table; sets request->table
 *     idle_table  like table, and no game is being played there
 *     hosted_table like table, and the requester is the table's host
 *     own_table   like idle_table, and the requester is the table's host
 *     seat        the message names a seat of request->table; sets request->seat
 *     free_seat   like seat, but the seat must be empty; without a named seat, the first empty one
 *     change_rate request_is_within_rate_limit
 */

/* True when the requester stays within the rate limit for changes that others are told of, such as
 * opening tables; otherwise the request is refused. */
bool request_is_within_rate_limit(const struct request *request);

/* True when all seated people are connected and, after a game, have asked for another one;
 * otherwise the request is refused. */
bool request_players_are_ready(const struct request *request);

/* Stores that the seat's holder asks for a rematch, and tells everybody at the table. */
void table_store_rematch_request(struct house *house, struct table *table, int seat);

/* True when all seated people are connected and have all asked for a rematch. */
bool table_rematch_is_agreed(const struct table *table);

/* Returns the table whose number the message gives as `table`; NULL when there is none. */
struct table *request_find_named_table(const struct request *request);
