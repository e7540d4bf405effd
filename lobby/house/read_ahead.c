#include "lobby/house/parts.h"

#include <stdio.h>
#include <stdlib.h>

/* so many people's reads are kept at once */
#define PEOPLE_MAX 500

struct returning_rows {
    struct storage_connection *rows;
    size_t count, cap;
};

static bool collect_row(void *context, const struct storage_connection *row)
{
    struct returning_rows *list = context;
    list->rows = memory_grow(list->rows, list->count, &list->cap, sizeof(*list->rows));
    list->rows[list->count++] = *row;
    return list->count < PEOPLE_MAX;
}

static void read_ahead(struct house *house, const struct storage_connection *rows, size_t count)
{
    if (!storage_read_ahead_begin(house->storage)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        PARTS_CALL(read_ahead, house, &rows[i]);
    }
    stored_or_fail(house, storage_read_ahead_end(house->storage));
}

void read_ahead_for_returning(struct house *house)
{
    struct returning_rows list = {0};
    stored_or_fail(house, storage_connections_each(house->storage, collect_row, &list));
    read_ahead(house, list.rows, list.count);
    free(list.rows);
}

void read_ahead_for_connection(struct house *house, const struct storage_connection *row)
{
    read_ahead(house, row, 1);
}

void read_ahead_for_sign_in(struct house *house, const struct conn *conn,
                            const struct storage_account *account, const char *fingerprint)
{
    struct storage_connection row = {.account = account->id};
    (void)snprintf(row.name, sizeof(row.name), "%s", account->name);
    (void)snprintf(row.key_fingerprint, sizeof(row.key_fingerprint), "%s", fingerprint);
    (void)snprintf(row.address, sizeof(row.address), "%s", conn->address);
    read_ahead(house, &row, 1);
}
