#pragma once

#include "lobby/house/parts.h"
#include "lobby/tables/tables.h"

/* Removes a person from their seat before the start, and tells them who did it. */
void table_kick_from_seat(struct house *house, struct table *table, int seat,
                          const char *kicked_by);

/* True when `password` opens this locked table; NULL opens none. */
bool table_setup_password_opens(const struct table *table, const char *password);

/* True when the requester may open one more table; otherwise the request is refused. May close a
 * table that the requester has left, to make room. */
bool table_setup_requester_may_open(const struct request *request) MUST_CHECK;

/* Stores a new table with the requester as host, and loads it. `row` has the table's clock and
 * rules; the function fills in the rest of it. NULL when the table cannot be stored. */
struct table *table_setup_store_new(const struct request *request, const struct game_def *game,
                                    const struct game_config *config, struct storage_table *row);
