#ifndef STORAGE_SQL_MOVE_LOG_H
#define STORAGE_SQL_MOVE_LOG_H

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

#define MOVE_COLUMNS "game_id, step, seat, move, at_ms, conn, request"

/* After opening: counts the moves the last run left unsettled. */
enum storage_result move_log_open(struct storage *storage) MUST_CHECK;

/* The game has no move yet. */
void move_log_started(struct storage *storage, int64_t game);

/* Whether `step` is the game's next one: STORAGE_TAKEN when the game has it already,
 * STORAGE_REFUSED when a step before it is missing or there is no such game. */
enum storage_result move_log_check(struct storage *storage, int64_t game, uint32_t step) MUST_CHECK;

/* The step was inserted into moves_new. */
void move_log_added(struct storage *storage, int64_t game, uint32_t step);

/* Moves all rows of moves_new into `moves`; commits nothing. */
enum storage_result move_log_settle(struct storage *storage) MUST_CHECK;

/* Part of every commit. Before it: settles if there are MOVE_LOG_FORCED rows. After it succeeded:
 * notes that the rows are durable. */
enum storage_result move_log_settle_many(struct storage *storage) MUST_CHECK;
void move_log_committed(struct storage *storage);

/* After a rollback: forgets what was noted in the transaction. */
void move_log_forget(struct storage *storage);

/* In a quiet moment, outside a transaction: true when there is enough to settle. */
bool move_log_is_due(const struct storage *storage);

/* After an attempt to settle in a quiet moment: a failed one is repeated once MOVE_LOG_IDLE more
 * moves have arrived. */
void move_log_tried(struct storage *storage, enum storage_result result);

#endif
