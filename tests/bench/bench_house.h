#ifndef TESTS_BENCH_BENCH_HOUSE_H
#define TESTS_BENCH_BENCH_HOUSE_H

#include "storage/storage.h"

/*
 * A whole house with people at its tables, driven as the core's loop drives it: packets are
 * received, the house is committed, and only then what it has to tell is sent, a packet to each
 * person's own socket.
 */
struct bench_house;

/* `count` tables (at most BENCH_TABLES_MAX), every seat taken by a guest, with games on, in a new
 * file at `path`. NULL after a line in `why`. */
struct bench_house *bench_house_new(const char *path, size_t count, char why[STORAGE_WHY_SIZE]);

/* Takes NULL. */
void bench_house_free(struct bench_house *house);

/* One turn of the core's loop: a move from each table, one commit, everybody told. */
bool bench_house_turn(struct bench_house *house, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* The people's part: they read what they were told, ask for another game where one is over, and
 * choose their next moves. */
bool bench_house_rest(struct bench_house *house, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

#endif
