#pragma once

#include "daemon/queries/query.h"

/* How a query sends requests to the core. */

/* Sends one request; takes over the reference to `fields`. */
void query_send_request(struct query_run *run, const char *type, json_t *fields);

/* Requests one's own tables and the chat, for run->model. */
void query_request_own_state(struct query_run *run);

/* Requests all people and tables of the house, for run->people and run->tables. */
void query_request_lobby(struct query_run *run);
