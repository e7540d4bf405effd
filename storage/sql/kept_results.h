#pragma once

#include "storage/sql/libpq.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Inside storage/sql/ only: keeps what reads from PostgreSQL have found, until something is written
 * to a table that they read. The house reads the same accounts, sanctions and lines again and again
 * while a person waits, and each such read would be a round trip. What is kept is right because
 * only this connection writes to these tables: the node holds the house, and no trigger of another
 * table changes them. At most 32 MiB are kept.
 */

/* The names of the tables whose reads are kept, from 0 on; NULL after the last. */
const char *kept_table_at(size_t i);

/* What a statement has to do with the tables whose results are kept. */
struct kept_use {
    uint32_t read;    /* the set of all tables that it reads, one bit for each; 0: do not keep it */
    uint32_t written; /* the set of tables that it may change */
};

/* Finds that out from the statement's text. */
struct kept_use kept_use_of(const char *text);

/* A result. It lives as long as it is kept or somebody has it. */
struct kept_result;

PGresult *kept_result_of(const struct kept_result *kept);

/* Gives it back; NULL: nothing. */
void kept_result_release(struct kept_result *kept);

struct kept_results;

/* Returns NULL if there is no memory. `pq` is borrowed. */
struct kept_results *kept_results_new(const struct libpq *pq);

/* Forgets all results; NULL: nothing. */
void kept_results_free(struct kept_results *results);

/* One run of a read, with its arguments as texts (NULL for SQL's NULL). */
struct kept_run {
    uint32_t tables;    /* kept_use.read */
    unsigned statement; /* a number that no other statement of the connection ever has */
    const char *const *arguments;
    int count;
};

#define KEPT_KEY_SIZE 160

/* What a run is known by. */
struct kept_name {
    uint32_t tables;
    unsigned statement;
    uint64_t writes; /* the number of writes before the run */
    size_t key_len;
    char key[KEPT_KEY_SIZE]; /* the arguments */
};

/* Sets the name of a run that is made now. Returns false if the arguments are too long: then it is
 * not kept. */
bool kept_results_name(const struct kept_results *results, const struct kept_run *run,
                       struct kept_name *name);

/* Returns what an equal run has found since the last write to its tables; release it. NULL: nothing
 * is kept. */
struct kept_result *kept_results_find(struct kept_results *results, const struct kept_name *name);

/* Keeps what a run has found. Takes the result over: the caller has it until it releases what is
 * returned. NULL: there is no memory, and the result is still the caller's. */
struct kept_result *kept_results_keep(struct kept_results *results, const struct kept_name *name,
                                      PGresult *result);

/* Forgets what was found in these tables. */
void kept_results_forget(struct kept_results *results, uint32_t tables);
void kept_results_forget_all(struct kept_results *results);
