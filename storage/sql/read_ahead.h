#pragma once

#include "storage/sql/kept_results.h"

/*
 * Inside storage/sql/ only: reads that PostgreSQL answers together (storage_read_ahead_begin). Each
 * is sent without waiting; once their answers have arrived, they are kept (kept_results.h).
 */
#define READ_AHEAD_MAX 128

struct read_ahead {
    bool is_on; /* between storage_read_ahead_begin and _end */
    size_t count;
    struct {
        struct kept_name name;
        PGresult *answer; /* NULL: it has not arrived, or the read has failed */
    } reads[READ_AHEAD_MAX];
};

static inline bool read_ahead_is_full(const struct read_ahead *ahead)
{
    return ahead->count == READ_AHEAD_MAX;
}

/* Adds a read. Returns where its answer will be put; NULL if it need not be sent, because its
 * result is kept already or cannot be kept. */
PGresult **read_ahead_add(struct read_ahead *ahead, struct kept_results *results,
                          const struct kept_run *run);

/* Keeps all answers, and forgets the reads. */
void read_ahead_keep(struct read_ahead *ahead, struct kept_results *results,
                     const struct libpq *pq);
