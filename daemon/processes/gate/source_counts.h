#pragma once

#include "daemon/processes/gate/limits.h"

#include <stddef.h>

/*
 * Counts the connections of each source or net (limits.h) that has some. Finding a source takes the
 * same time however many there are.
 */
struct source_count {
    struct limits_source source;
    int connections; /* at least 1 */
    int unauth;      /* connections in which nobody has signed in; the user of the count sets it */
    struct source_count *next; /* the next one in the same chain, or the next free one */
};

struct source_counts {
    size_t max;
    size_t used;   /* the entries from here on have never been taken */
    uint64_t seed; /* random, so that nobody can choose addresses that fall into one chain */
    struct source_count *entries, *free;
    struct source_count **chains; /* `max` chains */
};

/* Makes room for `max` sources, at least 1. Aborts if memory or randomness is missing. Child
 * processes do not inherit the counts. */
void source_counts_init(struct source_counts *counts, size_t max);
void source_counts_clear(struct source_counts *counts);

/* Counts one more connection of the source. Returns the source's count, which stays valid until as
 * many calls of source_counts_remove have followed. There must be room. */
struct source_count *source_counts_add(struct source_counts *counts,
                                       const struct limits_source *source);

/* Counts one connection less. */
void source_counts_remove(struct source_counts *counts, struct source_count *count);

/* Returns NULL if the source has no connection. */
const struct source_count *source_counts_find(const struct source_counts *counts,
                                              const struct limits_source *source);
