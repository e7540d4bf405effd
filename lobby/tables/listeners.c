#include "lobby/tables/listeners.h"

#include "lobby/house/hooks.h"

static const struct table_listener *const listeners[] = {
#define TABLE_LISTENER(name) &name##_table_listener,
#include "lobby/tables/listeners.def"
};

void table_listeners_begin(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(listeners); i++) {
        layout_add_block(&tables_of(house)->layout, i, listeners[i]->table_size);
    }
}

void table_notify_game_begun(struct house *house, struct table *table)
{
    HOOKS_CALL(listeners, begin, house, table);
}

void table_notify_turn_changed(struct house *house, struct table *table)
{
    HOOKS_CALL(listeners, turn, house, table);
}

void table_notify_game_over(struct house *house, struct table *table)
{
    HOOKS_CALL(listeners, over, house, table);
}

void table_notify_turns_void(struct house *house, struct table *table)
{
    HOOKS_CALL(listeners, end, house, table);
}

void table_notify_closed(struct house *house, struct table *table)
{
    HOOKS_CALL(listeners, close, house, table);
}

void table_notify_freed(struct table *table)
{
    HOOKS_CALL(listeners, forget, table);
}
