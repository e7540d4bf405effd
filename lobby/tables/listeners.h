#pragma once

#include "lobby/tables/tables_state.h"

/*
 * Listeners are told of events at tables. A feature defines
 *
 *     const struct table_listener NAME_table_listener = {.turn = …};
 *
 * and has a line in listeners.def. A hook that is NULL does nothing.
 */
struct table_listener {
    size_t table_size; /* a block in every table, zeroed at first (TABLE_STATE) */
    void (*begin)(struct house *house, struct table *table); /* a game has begun */
    void (*turn)(struct house *house, struct table *table);  /* the turn has changed, or somebody
                                                                whose turn it is has come or gone */
    void (*over)(struct house *house, struct table *table);  /* the game is over, its result made */
    void (*end)(struct house *house, struct table *table);   /* a new game begins or the table
                                                                closes: its turns are void */
    void (*close)(struct house *house, struct table *table); /* the table closes for good */
    void (*forget)(struct table *table); /* the table is about to be freed: frees what is kept */
};

#define TABLE_LISTENER(name) extern const struct table_listener name##_table_listener;
#include "lobby/tables/listeners.def"

void table_notify_game_begun(struct house *house, struct table *table);
void table_notify_turn_changed(struct house *house, struct table *table);
void table_notify_game_over(struct house *house, struct table *table);
void table_notify_turns_void(struct house *house, struct table *table);
void table_notify_closed(struct house *house, struct table *table);
void table_notify_freed(struct table *table);

/* Lays out what the listeners keep of every table. */
void table_listeners_begin(struct house *house);
