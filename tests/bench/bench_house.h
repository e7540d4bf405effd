#pragma once

#include "storage/storage.h"

/*
 * A whole house with players at its tables, driven as the core's loop drives it: packets are
 * received, the house commits, and only then its messages are sent, a packet to each player's own
 * socket.
 */
struct bench_house;

/* Opens `count` tables (at most BENCH_TABLES_MAX) in a new file at `path`, with a guest in every
 * seat and games in progress. Returns NULL with an error in `why`. */
struct bench_house *bench_house_new(const char *path, size_t count, char why[STORAGE_WHY_SIZE]);

/* Closes the house and frees it. Takes NULL. */
void bench_house_free(struct bench_house *house);

/* Runs one pass of the core's loop: a move from each table, one commit, all messages sent. */
bool bench_house_run_loop_pass(struct bench_house *house, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Does the players' part: reads messages, asks for another game if one is over, and chooses the
 * next moves. */
bool bench_house_prepare_loop_pass(struct bench_house *house,
                                   char why[STORAGE_WHY_SIZE]) MUST_CHECK;
