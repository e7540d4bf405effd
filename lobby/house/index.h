#ifndef LOBBY_HOUSE_INDEX_H
#define LOBBY_HOUSE_INDEX_H

#include <stddef.h>

/*
 * Things by a key of bytes that is part of the thing itself, kept in the order they were added. The
 * index holds pointers; the things stay their owner's, and a key must not change while it is in.
 * Zeroed it is empty.
 */
struct index {
    struct index_entry *entries;
};

/* NULL when nothing has that key. */
void *index_find(const struct index *index, const void *key, size_t len);

/* The key must not be in yet. Dies when memory is out. */
void index_add(struct index *index, const void *key, size_t len, void *item);

/* Takes out what has that key, which must be in. */
void index_remove(struct index *index, const void *key, size_t len);

size_t index_count(const struct index *index);

/* Where a loop stands; the item it is at may be taken out meanwhile. */
struct index_at {
    struct index_entry *next;
};

/* The items in their order, NULL after the last. */
void *index_first(const struct index *index, struct index_at *at);
void *index_next(struct index_at *at);

#define INDEX_EACH(index, item, at)                                                                \
    for ((item) = index_first((index), &(at)); (item) != NULL; (item) = index_next(&(at)))

#endif
