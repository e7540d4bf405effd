#pragma once

#include "lobby/house/hooks.h"
#include "lobby/tables/tables_state.h"

/*
 * Listeners are told of events at tables. A feature defines
 *
 *     const struct table_listener NAME_table_listener = {.turn_changed = …};
 *
 * and has a line in listeners.def. A hook that is NULL does nothing.
 */
struct table_listener {
    size_t table_size; /* a block in every table, zeroed at first (TABLE_STATE) */
    void (*game_begun)(struct house *house, struct table *table);
    /* The turn has changed, or a player whose turn it is has come or gone. */
    void (*turn_changed)(struct house *house, struct table *table);
    void (*game_over)(struct house *house, struct table *table); /* the result has been made */
    void (*closed)(struct house *house, struct table *table);    /* the table closes for good */
    void (*freed)(struct table *table);                          /* the table is being freed */
};

#define TABLE_LISTENER(name) extern const struct table_listener name##_table_listener;
#include "lobby/tables/listeners.def"

extern const struct table_listener *const table_listeners[TABLE_LISTENERS_COUNT];

/* Calls a hook of every listener that has it. */
#define TABLE_LISTENERS_CALL(hook, ...) HOOKS_CALL(table_listeners, hook, __VA_ARGS__)

/* Reserves each listener's block in every table. */
void table_listeners_begin(struct house *house);
