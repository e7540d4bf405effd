#ifndef STORAGE_ARCHIVE_MOVE_LOG_H
#define STORAGE_ARCHIVE_MOVE_LOG_H

#include "storage/storage.h"

/*
 * Inside storage/ only. Moves arrive at the end of one table, moves_new, whichever game they belong
 * to: a commit with a move at each of a hundred tables so writes one page or two instead of a
 * hundred. From there they are settled, many at a time, into `moves`, which is ordered by game.
 * What is new stays few enough to be searched through.
 */

#define MOVE_LOG_IDLE 4096   /* settled in a quiet moment from this many on: about 15 ms */
#define MOVE_LOG_FORCED 8192 /* settled in the next commit: about 30 ms */
#define MOVE_LOG_SLOTS 2048

struct move_log {
    int64_t rows; /* in moves_new, those of this transaction included */
    int64_t committed_rows;
    int64_t idle_at; /* how many it takes in the next quiet moment */
    size_t game_count;
    struct {
        int64_t game; /* 0: free */
        uint32_t next;
    } games[MOVE_LOG_SLOTS]; /* the step each game is at, for games lately moved in */
};

/* After opening: settles what the last run left. */
enum storage_result move_log_open(struct storage *storage) MUST_CHECK;

/* A game that has no move yet. */
void move_log_started(struct storage *storage, int64_t game);

/* Part of every commit: before it, and after it succeeded. */
enum storage_result move_log_settle_many(struct storage *storage) MUST_CHECK;
void move_log_committed(struct storage *storage);

/* After a rollback. */
void move_log_forget(struct storage *storage);

/* In a quiet moment, outside a transaction: true when it is worth it to settle now. */
bool move_log_is_due(const struct storage *storage);

/* Settles all in a transaction of its own; a failure waits for more moves before it is tried
 * again. */
enum storage_result move_log_settle_now(struct storage *storage) MUST_CHECK;

#endif
