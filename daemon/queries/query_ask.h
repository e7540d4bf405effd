#pragma once

#include "daemon/queries/query.h"

/* How a query sends requests to the core. */

/* Sends one request; steals `fields`. */
void query_send_request(struct query_run *run, const char *type, json_t *fields);

/* Requests the current people, tables, own tables and chat. */
void query_request_house_state(struct query_run *run);
