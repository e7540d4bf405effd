#include "storage/sql/sql.h"

#include <stdio.h>

static size_t find_game_slot(const struct move_log *log, int64_t game)
{
    size_t slot = (size_t)((uint64_t)game * UINT64_C(0x9E3779B97F4A7C15) >> 32) % MOVE_LOG_SLOTS;

    while (log->games[slot].game != 0 && log->games[slot].game != game) {
        slot = (slot + 1) % MOVE_LOG_SLOTS;
    }
    return slot;
}

static void forget_next_steps(struct move_log *log)
{
    memset(log->games, 0, sizeof log->games);
    log->game_count = 0;
}

static void set_next_step(struct move_log *log, int64_t game, uint32_t next_step)
{
    size_t slot = find_game_slot(log, game);

    if (log->games[slot].game == 0) {
        if (log->game_count == MOVE_LOG_SLOTS / 2) {
            forget_next_steps(log);
            slot = find_game_slot(log, game);
        }
        log->game_count++;
    }
    log->games[slot].game = game;
    log->games[slot].next = next_step;
}

bool move_log_is_used(const struct storage *storage)
{
    return storage->db != NULL;
}

void move_log_note_new_game(struct storage *storage, int64_t game)
{
    set_next_step(&storage->moves, game, 0);
}

/* Reads from the database the number of a game's next step, when that game has no slot yet. The
 * logged moves of a game are later than those that were transferred. */
static enum storage_result load_next_step(struct storage *storage, int64_t game)
{
    struct sql *q =
        SQL_READ(storage,
                 "SELECT coalesce((SELECT max(step) + 1 FROM moves_new WHERE game_id = ?1),"
                 " (SELECT max(step) + 1 FROM moves WHERE game_id = ?1), 0)"
                 " FROM games WHERE id = ?1",
                 SQL_INT(game));

    if (sql_first_row(q)) {
        set_next_step(&storage->moves, game, (uint32_t)sql_read_int(q));
    }
    return sql_end(q);
}

enum storage_result move_log_check_next_step(struct storage *storage, int64_t game, uint32_t step)
{
    size_t slot = find_game_slot(&storage->moves, game);

    if (storage->moves.games[slot].game == 0) {
        const enum storage_result loaded = load_next_step(storage, game);
        if (loaded != STORAGE_OK) {
            return loaded == STORAGE_NOT_FOUND ? STORAGE_REFUSED : loaded;
        }
        slot = find_game_slot(&storage->moves, game);
    }
    const uint32_t next = storage->moves.games[slot].next;
    if (step == next) {
        return STORAGE_OK;
    }
    (void)snprintf(storage->why, sizeof storage->why, "step %u was given, but step %u is next",
                   step, next);
    return step < next ? STORAGE_TAKEN : STORAGE_REFUSED;
}

void move_log_note_step(struct storage *storage, int64_t game, uint32_t step)
{
    set_next_step(&storage->moves, game, step + 1);
    storage->moves.rows += move_log_is_used(storage);
}

enum storage_result move_log_transfer_to_moves(struct storage *storage)
{
    struct sql move = sql_write(storage, "INSERT INTO moves (" MOVE_COLUMNS ")"
                                         " SELECT " MOVE_COLUMNS " FROM moves_new"
                                         " ORDER BY game_id, step");
    enum storage_result result = sql_run(&move);

    if (result == STORAGE_OK) {
        struct sql clear = sql_write(storage, "DELETE FROM moves_new");
        result = sql_run(&clear);
    }
    if (result == STORAGE_OK) {
        storage->moves.rows = 0;
    }
    return result;
}

enum storage_result move_log_count_new_moves(struct storage *storage)
{
    struct sql q = sql_read(storage, "SELECT count(*) FROM moves_new");

    if (sql_first_row(&q)) {
        storage->moves.rows = storage->moves.committed_rows = sql_read_int(&q);
    }
    return sql_end(&q);
}

enum storage_result move_log_transfer_if_full(struct storage *storage)
{
    return storage->moves.rows < MOVE_LOG_FORCED ? STORAGE_OK : move_log_transfer_to_moves(storage);
}

void move_log_note_commit(struct storage *storage)
{
    storage->moves.committed_rows = storage->moves.rows;
}

void move_log_note_rollback(struct storage *storage)
{
    storage->moves.rows = storage->moves.committed_rows;
    forget_next_steps(&storage->moves);
}

bool move_log_should_transfer(const struct storage *storage)
{
    return storage->moves.rows >= storage->moves.idle_at && storage->moves.rows >= MOVE_LOG_IDLE;
}

void move_log_note_transfer_attempt(struct storage *storage, enum storage_result result)
{
    storage->moves.idle_at = result == STORAGE_OK ? 0 : storage->moves.rows + MOVE_LOG_IDLE;
}
