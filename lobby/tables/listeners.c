#include "lobby/tables/listeners.h"

static const struct table_listener *const listeners[] = {
#define TABLE_LISTENER(name) &name##_table_listener,
#include "lobby/tables/listeners.def"
};

void table_tell_begin(struct house *house, struct table *table)
{
    for (size_t i = 0; i < ARRAY_LEN(listeners); i++) {
        if (listeners[i]->begin != NULL) {
            listeners[i]->begin(house, table);
        }
    }
}

void table_tell_turn(struct house *house, struct table *table)
{
    for (size_t i = 0; i < ARRAY_LEN(listeners); i++) {
        if (listeners[i]->turn != NULL) {
            listeners[i]->turn(house, table);
        }
    }
}

void table_tell_over(struct house *house, struct table *table)
{
    for (size_t i = 0; i < ARRAY_LEN(listeners); i++) {
        if (listeners[i]->over != NULL) {
            listeners[i]->over(house, table);
        }
    }
}

void table_tell_end(struct house *house, struct table *table)
{
    for (size_t i = 0; i < ARRAY_LEN(listeners); i++) {
        if (listeners[i]->end != NULL) {
            listeners[i]->end(house, table);
        }
    }
}
