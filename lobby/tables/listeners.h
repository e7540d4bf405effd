#pragma once

#include "lobby/house/hooks.h"
#include "lobby/tables/tables_state.h"

/*
 * Listeners are told of events at tables. A feature defines const struct table_listener
 * NAME_table_listener = {.turn_changed = …}; and has a line in listeners.def. A hook may be NULL.
 */
struct table_listener {
    size_t table_size; /* size of the listener's block in every table, which starts as zeros
                          (TABLE_STATE) */
    void (*game_begun)(struct house *house, struct table *table);
    /* Called when it is another player's turn, or when a player whose turn it is comes or goes. */
    void (*turn_changed)(struct house *house, struct table *table);
    void (*game_over)(
        struct house *house,
        struct table *table); /* called when the game is over and its result is made */
    void (*closed)(struct house *house,
                   struct table *table); /* called when the table closes for good */
    void (*freed)(struct table *table);  /* called when the table's memory is freed */
};

#define TABLE_LISTENER(name) extern const struct table_listener name##_table_listener;
#include "lobby/tables/listeners.def"

extern const struct table_listener *const table_listeners[TABLE_LISTENERS_COUNT];

/* Calls this hook of every listener that defines it. */
#define TABLE_LISTENERS_CALL(hook, ...) HOOKS_CALL(table_listeners, hook, __VA_ARGS__)

/* Reserves each listener's block in every table. */
void table_listeners_reserve_blocks(struct house *house);
