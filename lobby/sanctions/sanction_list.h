#pragma once

#include "storage/mod/sanctions.h"

/* A list of sanctions, filled from the storage by sanction_list_add. */
struct sanction_list {
    unsigned kinds; /* bit 1 << kind is set for each kind of sanction that is collected */
    size_t count;
    struct storage_sanction rows[64]; /* when the list is full, further sanctions are left out */
};

/* Adds a sanction to the list, if the list collects its kind. A callback for the functions of
 * storage/mod/sanctions.h; `context` is the list. Returns false when the list is full. */
static inline bool sanction_list_add(void *context, const struct storage_sanction *sanction)
{
    struct sanction_list *list = (struct sanction_list *)context;
    if ((list->kinds >> sanction->kind & 1) != 0) {
        list->rows[list->count++] = *sanction;
    }
    return list->count < sizeof(list->rows) / sizeof(list->rows[0]);
}
