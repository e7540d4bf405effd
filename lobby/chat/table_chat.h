#pragma once

#include "lobby/house/house_state.h"

/* Who may talk and who hears at a table. The tables implement it (lobby/tables/table_watch.h). */
struct table_chat_rules {
    bool (*hears)(const struct table *table, const struct conn *conn, int64_t at_ms,
                  bool is_by_watcher);
    bool (*is_watcher)(const struct table *table, const struct conn *conn);
    bool (*is_speaker)(const struct table *table, const struct person *person);
};

extern const struct table_chat_rules table_chat_rules;
