#pragma once

#include "daemon/queries/query.h"

/* How a query asks the core. */

/* Steals `fields`. */
void query_ask(struct query_run *run, const char *type, json_t *fields);

/* The house as it is now: people, tables, mine, chat. */
void query_ask_house(struct query_run *run);
