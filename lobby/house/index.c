#include "lobby/house/house_state.h"

#include "lobby/house/parts.h"

#include <assert.h>
#include <stdlib.h>

/* uthash's default hash function is a switch whose cases fall through, which clang does not accept
 * here. */
#define HASH_FUNCTION HASH_FNV
#include <uthash.h>

struct index_entry {
    void *item;
    UT_hash_handle hh;
};

/* uthash's macros expand to functions longer than our limit, and clang's analyser takes the first
 * entry of an emptied table for freed memory. This region contains only functions that use these
 * macros. */
/* NOLINTBEGIN(readability-function-size,clang-analyzer-unix.Malloc) */

static struct index_entry *index_entry_find(const struct index *index, const void *key, size_t len)
{
    struct index_entry *entry = NULL;
    HASH_FIND(hh, index->entries, key, len, entry);
    return entry;
}

void index_add(struct index *index, const void *key, size_t len, void *item)
{
    struct index_entry *entry = memory_new(sizeof(*entry));
    entry->item = item;
    HASH_ADD_KEYPTR(hh, index->entries, key, len, entry);
}

void index_remove(struct index *index, const void *key, size_t len)
{
    struct index_entry *entry = index_entry_find(index, key, len);
    assert(entry != NULL);
    HASH_DEL(index->entries, entry);
    free(entry);
}

/* NOLINTEND(readability-function-size,clang-analyzer-unix.Malloc) */

void *index_find(const struct index *index, const void *key, size_t len)
{
    struct index_entry *entry = index_entry_find(index, key, len);
    return entry == NULL ? NULL : entry->item;
}

size_t index_count(const struct index *index)
{
    return HASH_COUNT(index->entries);
}

void *index_oldest(const struct index *index)
{
    return index->entries == NULL ? NULL : index->entries->item;
}

void *index_next_item(struct index_entry **cursor)
{
    struct index_entry *entry = *cursor;
    *cursor = entry == NULL ? NULL : entry->hh.next;
    return entry == NULL ? NULL : entry->item;
}
