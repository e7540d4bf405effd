#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

void source_counts_init(struct source_counts *counts, size_t max)
{
    *counts = (struct source_counts){
        .max = max,
        .entries = unforked_allocate(max * sizeof(*counts->entries)),
        .chains = unforked_allocate(max * sizeof(struct source_count *)),
    };
    if (getrandom(&counts->seed, sizeof(counts->seed), 0) != (ssize_t)sizeof(counts->seed)) {
        abort();
    }
}

void source_counts_clear(struct source_counts *counts)
{
    unforked_free(counts->entries, counts->max * sizeof(*counts->entries));
    unforked_free(counts->chains, counts->max * sizeof(struct source_count *));
    *counts = (struct source_counts){0};
}

/* Mixes the bits of a number: the last step of MurmurHash3. */
static uint64_t mix_bits(uint64_t bits)
{
    bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdU;
    bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53U;
    return bits ^ bits >> 33;
}

static struct source_count **find_chain(const struct source_counts *counts,
                                        const struct limits_source *source)
{
    uint64_t halves[2];
    memcpy(halves, source->bytes, sizeof(halves));
    uint64_t hash = mix_bits(mix_bits(counts->seed ^ halves[0]) ^ halves[1]);
    return &counts->chains[hash % counts->max];
}

const struct source_count *source_counts_find(const struct source_counts *counts,
                                              const struct limits_source *source)
{
    const struct source_count *count = *find_chain(counts, source);
    while (count != NULL && !limits_source_is_equal(&count->source, source)) {
        count = count->next;
    }
    return count;
}

static struct source_count *take_entry(struct source_counts *counts)
{
    struct source_count *entry = counts->free;
    if (entry != NULL) {
        counts->free = entry->next;
        return entry;
    }
    assert(counts->used < counts->max);
    return &counts->entries[counts->used++];
}

struct source_count *source_counts_add(struct source_counts *counts,
                                       const struct limits_source *source)
{
    struct source_count **chain = find_chain(counts, source);
    for (struct source_count *count = *chain; count != NULL; count = count->next) {
        if (limits_source_is_equal(&count->source, source)) {
            count->connections++;
            return count;
        }
    }
    struct source_count *count = take_entry(counts);
    *count = (struct source_count){.source = *source, .connections = 1, .next = *chain};
    *chain = count;
    return count;
}

void source_counts_remove(struct source_counts *counts, struct source_count *count)
{
    count->connections--;
    if (count->connections > 0) {
        return;
    }
    struct source_count **link = find_chain(counts, &count->source);
    while (*link != count) {
        link = &(*link)->next;
    }
    *link = count->next;
    count->next = counts->free;
    counts->free = count;
}
