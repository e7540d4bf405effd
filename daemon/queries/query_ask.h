#ifndef DAEMON_QUERIES_QUERY_ASK_H
#define DAEMON_QUERIES_QUERY_ASK_H

#include "daemon/queries/query.h"

/* How a query asks the core. */

/* Steals `fields`. */
void query_ask(struct query_run *run, const char *type, json_t *fields);

/* The house as it is now: people, tables, mine, chat. */
void query_ask_house(struct query_run *run);

#endif
