#pragma once

#include "storage/storage.h"

/*
 * A complete house with players at its tables. It runs as in the core's loop: packets are received,
 * the house commits, and only then sends its messages, a packet to each player's own socket.
 */
struct bench_house;

/* Opens `count` tables (at most BENCH_TABLES_MAX) in a new file at `path`, with a guest in every
 * seat and games in progress. Returns NULL with an error in `why`. */
struct bench_house *bench_house_new(const char *path, size_t count, char why[STORAGE_WHY_SIZE]);

/* Closes the house and frees it. Takes NULL. */
void bench_house_free(struct bench_house *house);

/* Runs one pass of the core's loop: a move from each table, one commit, all messages sent. */
bool bench_house_run_loop_pass(struct bench_house *house, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Acts for the players: reads their messages, asks for another game at tables whose game is over,
 * and chooses the next moves. */
bool bench_house_prepare_loop_pass(struct bench_house *house,
                                   char why[STORAGE_WHY_SIZE]) MUST_CHECK;
