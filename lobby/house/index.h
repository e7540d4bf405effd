#pragma once

#include <stddef.h>

/*
 * A hash table in insertion order. The key is bytes inside the item itself and must not change
 * while the item is in. The index holds pointers; the items stay their owner's. Zeroed, the index
 * is empty.
 */
struct index {
    struct index_entry *entries;
};

/* Returns the item with this key, or NULL. */
void *index_find(const struct index *index, const void *key, size_t len);

/* Adds an item whose key is not in yet. Dies when memory is out. */
void index_add(struct index *index, const void *key, size_t len, void *item);

/* Removes the item with this key, which must be in. */
void index_remove(struct index *index, const void *key, size_t len);

size_t index_count(const struct index *index);

/* An iterator; its current item may be removed during the loop. */
struct index_at {
    struct index_entry *next;
};

/* The items in insertion order, NULL after the last. */
void *index_first(const struct index *index, struct index_at *at);
void *index_next(struct index_at *at);

#define INDEX_EACH(index, item, at)                                                                \
    for ((item) = index_first((index), &(at)); (item) != NULL; (item) = index_next(&(at)))
