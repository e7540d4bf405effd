#include "lobby/tables/tables.h"

const struct table_listener *const table_listeners[TABLE_LISTENERS_COUNT] = {
#define TABLE_LISTENER(name) &name##_table_listener,
#include "lobby/tables/listeners.def"
};

void table_listeners_reserve_memory(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(table_listeners); i++) {
        layout_add_block(&tables_of(house)->layout, i, table_listeners[i]->table_size);
    }
}
