#pragma once

#include <stddef.h>

/*
 * A hash table that keeps the order of insertion. The key is a run of bytes inside the item itself
 * and must not change while the item is in the index. The index holds pointers and does not own the
 * items. A zeroed struct is an empty index.
 */
struct index {
    struct index_entry *entries;
};

/* Returns the item with this key, or NULL. */
void *index_find(const struct index *index, const void *key, size_t len);

/* Adds an item whose key is not in the index yet. Aborts when memory is out. */
void index_add(struct index *index, const void *key, size_t len, void *item);

/* Removes the item with this key, which must be in the index. */
void index_remove(struct index *index, const void *key, size_t len);

size_t index_count(const struct index *index);

/* Returns the item that was added first, or NULL. */
void *index_oldest(const struct index *index);

/* Returns the item at *cursor and moves *cursor to the next item. Returns NULL after the last
 * item. */
void *index_next_item(struct index_entry **cursor);

/* A loop over the items of an index in insertion order; `item` is NULL after the last. The current
 * item may be removed during the loop. */
#define INDEX_EACH(index, item)                                                                    \
    for (struct index_entry *next_##item = (index)->entries;                                       \
         ((item) = index_next_item(&next_##item)) != NULL;)

/* Declares `item` and runs the following block for each item of the index, in insertion order. The
 * block may remove the current item. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name cannot be in parentheses */
#define INDEX_ITEMS_EACH(type, item, index)                                                        \
    for (struct index_entry *next_ = (index)->entries, **once_ = &next_; once_ != NULL;            \
         once_ = NULL)                                                                             \
        for (type *item = index_next_item(&next_); item != NULL; item = index_next_item(&next_))
/* NOLINTEND(bugprone-macro-parentheses) */
