#ifndef DAEMON_CLI_BENCH_TABLES_H
#define DAEMON_CLI_BENCH_TABLES_H

#include "storage/games.h"

/*
 * Tables where random moves are played the way the core plays them: apply with the engine, append,
 * commit, and only then tell every seat what it sees, in a packet to the seat's own socket.
 */
struct bench_tables;

#define BENCH_TABLES_MAX 100

/* `count` tables (at most BENCH_TABLES_MAX) in a new file at `path`, its log grown to the size it
 * has in a house that has run for a while. NULL after a line in `why`. */
struct bench_tables *bench_tables_new(const char *path, size_t count, char why[STORAGE_WHY_SIZE]);

/* Takes NULL. */
void bench_tables_free(struct bench_tables *tables);

/* The first half of a turn: a move at each table, and one commit. `moves` (one a table) is what is
 * durable now; its texts are the tables' own and last until the next turn. `why` as above. */
bool bench_tables_commit(struct bench_tables *tables, struct storage_move *moves,
                         char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* The second half: every seat is told. */
bool bench_tables_tell(struct bench_tables *tables, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* What people's sessions and bots do, and no part of the core's turn: everybody reads what they
 * were told, and where a game is over the next one begins. */
bool bench_tables_rest(struct bench_tables *tables, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

#endif
