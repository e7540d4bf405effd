#pragma once

#include "lobby/house/house_state.h"

struct table;

/* The rules of who may talk and who may read chat at a table, implemented in
 * lobby/tables/table_watch.c. */
struct table_chat_rules {
    int64_t (*id)(const struct table *table);
    struct table *(*of)(const struct conn *conn); /* the table that the connection has entered */
    /* all connections that have entered the table */
    const struct conn_links *(*conns)(const struct table *table);
    bool (*hears)(const struct table *table, const struct conn *conn, int64_t at_ms,
                  bool is_by_spectator);
    bool (*is_watcher)(const struct table *table, const struct conn *conn);
    bool (*is_speaker)(const struct table *table, const struct person *person);
    bool (*is_quiet)(const struct table *table); /* true when spectators may not talk */
};

extern const struct table_chat_rules table_chat_rules;
