#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Checks for requests about a table. Each answers the request with `no` when it fails. */

/* The table that this connection has entered; NULL: none. */
struct table *request_table(const struct request *request);

/* The same, provided that no game is on there. */
struct table *request_idle_table(const struct request *request);

/* The same, provided that the person is its host. */
struct table *request_own_table(const struct request *request);

/* True when this person stays within the limit of changes, which others are told of. */
bool request_is_calm(const struct request *request);

/* The seat named in the message, or, when `is_first_free` and none is named, the first empty one;
 * -1 when there is no such seat. */
int request_seat(const struct request *request, bool is_first_free);

/* True when the seat of the entered table is empty. */
bool request_is_empty(const struct request *request, int seat);

/* True when every person who sits here is ready for a game: they are connected and, after a game,
 * have asked for another one. */
bool request_is_everybody_ready(const struct request *request);

/* The seat asks for another game: stores that and tells everybody here. */
void table_ask_rematch(struct house *house, struct table *table, int seat);

/* True when every person still seated is connected and has asked for a rematch. */
bool table_rematch_is_agreed(const struct table *table);
