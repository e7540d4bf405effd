#pragma once

#include "storage/archive/archive.h"

/*
 * Tables without a house: the engine makes their moves, and the storage appends and commits them.
 */
struct bench_tables;

#define BENCH_TABLES_MAX 100

/* Makes `count` tables (at most BENCH_TABLES_MAX) in a new file at `path`. The storage's
 * write-ahead log is as long as in a house that has run for a while. Returns NULL with an error in
 * `why`. */
struct bench_tables *bench_tables_new(const char *path, size_t count, char why[STORAGE_WHY_SIZE]);

/* Closes the storage and frees the tables. Takes NULL. */
void bench_tables_free(struct bench_tables *tables);

/* Makes a random move at each table and commits all these moves at once. `moves` receives the moves
 * that are durable now, one per table; their texts belong to the tables and last until the next
 * call. On an error returns false with a text in `why`. */
bool bench_tables_run_loop_pass(struct bench_tables *tables, struct storage_move *moves,
                                char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Begins the next game at tables whose game is over. */
bool bench_tables_start_next_games(struct bench_tables *tables,
                                   char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Writes enough rows to a new storage that its write-ahead log gets its full length and is copied
 * into the database file. */
bool bench_tables_grow_write_ahead_log(struct storage *storage,
                                       char why[STORAGE_WHY_SIZE]) MUST_CHECK;
