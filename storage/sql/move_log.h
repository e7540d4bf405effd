#pragma once

#include "storage/storage.h"

/*
 * Inside storage/ only. Moves of all games are first appended to one table, moves_new, so that a
 * commit with a move at each of a hundred tables writes one or two pages instead of a hundred.
 * Later they are settled: moved, many at a time, into `moves`, which is ordered by game. moves_new
 * stays small enough to be searched without an index.
 */

#define MOVE_LOG_IDLE 4096   /* rows from which an idle moment settles: about 15 ms */
#define MOVE_LOG_FORCED 8192 /* rows at which the next commit settles: about 30 ms */
#define MOVE_LOG_SLOTS 2048

struct move_log {
    int64_t rows; /* in moves_new, this transaction's included */
    int64_t committed_rows;
    int64_t idle_at; /* rows from which the next idle moment settles */
    size_t game_count;
    struct {
        int64_t game; /* 0: free */
        uint32_t next;
    } games[MOVE_LOG_SLOTS]; /* the next step of games with recent moves */
};

#define MOVE_COLUMNS "game_id, step, seat, move, at_ms, conn, request"

/* Call after opening: counts the moves that the last run left unsettled. */
enum storage_result move_log_load(struct storage *storage) MUST_CHECK;

/* Notes a new game without moves. */
void move_log_note_game(struct storage *storage, int64_t game);

/* Checks that `step` is the game's next one: STORAGE_TAKEN when the game has it already,
 * STORAGE_REFUSED when a step before it is missing or there is no such game. */
enum storage_result move_log_check(struct storage *storage, int64_t game, uint32_t step) MUST_CHECK;

/* Notes that the step was inserted into moves_new. */
void move_log_note_step(struct storage *storage, int64_t game, uint32_t step);

/* Moves all rows of moves_new into `moves`; commits nothing. */
enum storage_result move_log_settle(struct storage *storage) MUST_CHECK;

/* Every commit calls both. Before the commit: settles if there are MOVE_LOG_FORCED rows. After its
 * success: notes that the rows are durable. */
enum storage_result move_log_settle_if_full(struct storage *storage) MUST_CHECK;
void move_log_note_commit(struct storage *storage);

/* Call after a rollback: forgets what was noted in the transaction. */
void move_log_note_rollback(struct storage *storage);

/* For idle moments, outside a transaction: true when there are enough rows to settle. */
bool move_log_should_settle(const struct storage *storage);

/* Call after an attempt to settle in an idle moment: a failed attempt is repeated once
 * MOVE_LOG_IDLE more moves have arrived. */
void move_log_note_attempt(struct storage *storage, enum storage_result result);
