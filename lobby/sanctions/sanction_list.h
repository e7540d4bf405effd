#pragma once

#include "storage/mod/sanctions.h"

/* Collects sanctions that a function of storage/mod/sanctions.h calls back with. */
struct sanction_list {
    unsigned kinds; /* collect only these: bits 1 << kind */
    size_t count;
    struct storage_sanction rows[64]; /* the others are left out */
};

/* A storage_sanction_row; `context` is the list. */
static inline bool sanction_list_add(void *context, const struct storage_sanction *sanction)
{
    struct sanction_list *list = (struct sanction_list *)context;
    if ((list->kinds >> sanction->kind & 1) != 0) {
        list->rows[list->count++] = *sanction;
    }
    return list->count < sizeof(list->rows) / sizeof(list->rows[0]);
}
