#pragma once

#include "storage/storage.h"

/*
 * Inside storage/ only. Moves of all games are first appended to one database table, moves_new. So
 * a commit with a move at each of a hundred tables writes one or two pages instead of a hundred.
 * Later all rows of moves_new are transferred at once into `moves`, which is ordered by game.
 * moves_new stays small enough to be searched without an index.
 *
 * PostgreSQL writes its log of changes row by row, so there moves are inserted into `moves` at
 * once, and moves_new stays empty.
 */

/* With this many rows, moves_new is emptied into `moves` when the process is idle; that takes about
 * 15 ms. */
#define MOVE_LOG_IDLE 4096
/* With this many rows, moves_new is emptied into `moves` by a commit; that takes about 30 ms. */
#define MOVE_LOG_FORCED 8192
#define MOVE_LOG_SLOTS 2048

struct move_log {
    int64_t rows; /* number of rows in moves_new, including those of this transaction */
    int64_t committed_rows;
    int64_t idle_at; /* number of rows at which an idle process transfers them into `moves` */
    size_t game_count;
    struct {
        int64_t game; /* number of the game; 0: the slot is free */
        uint32_t next;
    } games[MOVE_LOG_SLOTS]; /* for each game with recent moves: the number of its next step */
};

#define MOVE_COLUMNS "game_id, step, seat, move, at_ms, conn, request"

/* Call it after opening: counts the moves that the last process left in moves_new. */
enum storage_result move_log_count_new_moves(struct storage *storage) MUST_CHECK;

/* True if new moves belong into moves_new. */
bool move_log_is_used(const struct storage *storage);

/* Notes that a new game has no moves yet. */
void move_log_note_new_game(struct storage *storage, int64_t game);

/* Checks that `step` is the game's next step: STORAGE_TAKEN when the game already has that step,
 * STORAGE_REFUSED when an earlier step is missing or there is no such game. */
enum storage_result move_log_check_next_step(struct storage *storage, int64_t game,
                                             uint32_t step) MUST_CHECK;

/* Notes that the move of this step was inserted. */
void move_log_note_step(struct storage *storage, int64_t game, uint32_t step);

/* Transfers all rows of moves_new into `moves`; the caller commits. */
enum storage_result move_log_transfer_to_moves(struct storage *storage) MUST_CHECK;

/* Both functions below are for storage_commit. Before a commit, move_log_transfer_if_full transfers
 * the rows if there are MOVE_LOG_FORCED of them. After a successful commit, move_log_note_commit
 * notes that the rows are durable. */
enum storage_result move_log_transfer_if_full(struct storage *storage) MUST_CHECK;
void move_log_note_commit(struct storage *storage);

/* Call it after a rollback: forgets the moves that were noted in the transaction. */
void move_log_note_rollback(struct storage *storage);

/* Call it in idle moments, outside a transaction: true when there are enough rows to transfer. */
bool move_log_should_transfer(const struct storage *storage);

/* Call it after an attempt to transfer rows in an idle moment: a failed attempt is repeated once
 * MOVE_LOG_IDLE more moves have arrived. */
void move_log_note_transfer_attempt(struct storage *storage, enum storage_result result);
