#pragma once

#include "lobby/house/hooks.h"
#include "lobby/tables/tables_state.h"

/*
 * Listeners are told of events at tables. A feature defines const struct table_listener
 * NAME_table_listener = {.turn_changed = …}; and adds a line to listeners.def. Each function of a
 * listener may be NULL.
 */
struct table_listener {
    size_t table_size; /* bytes of state that the listener keeps in every table, all zero at first
                          (TABLE_STATE) */
    void (*game_begun)(struct house *house, struct table *table);
    /* Called when the game begins to wait for another player, or when a player whose turn it is
     * comes or goes. */
    void (*turn_changed)(struct house *house, struct table *table);
    void (*game_over)(
        struct house *house,
        struct table *table); /* called after the end of a game, when its result is known */
    void (*closed)(struct house *house,
                   struct table *table); /* called when the table closes for good */
    void (*freed)(struct table *table);  /* called when the table's memory is freed */
};

#define TABLE_LISTENER(name) extern const struct table_listener name##_table_listener;
#include "lobby/tables/listeners.def"

extern const struct table_listener *const table_listeners[TABLE_LISTENERS_COUNT];

/* Calls the function `hook` of every listener that defines it. */
#define TABLE_LISTENERS_CALL(hook, ...) HOOKS_CALL(table_listeners, hook, __VA_ARGS__)

/* Reserves the memory in every table for the state of each listener. */
void table_listeners_reserve_memory(struct house *house);
