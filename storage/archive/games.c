#include "storage/archive/archive.h"

ROWS(game, struct storage_game, STORAGE_GAME_COLUMNS);
ROWS(seat, struct storage_seat, STORAGE_SEAT_COLUMNS);
ROWS(seat_change, struct storage_seat_change, STORAGE_CHANGE_ALL_COLUMNS);
ROWS(score, struct storage_score, STORAGE_SCORE_ALL_COLUMNS);
ROWS_TAKING(past_game, struct storage_past_game, STORAGE_PAST_GAME_COLUMNS);
ROWS(move, struct storage_move, STORAGE_MOVE_COLUMNS);
ROWS(ended_game, struct storage_ended_game, STORAGE_ENDED_GAME_COLUMNS);

/* Selects the columns of a struct storage_past_game; the caller appends a condition on the player.
 * One player may have several scores in a game, but the values of its other columns are the same.
 * The unary plus keeps SQLite from searching all rating changes of the account for each game. */
#define PLAYED_OF                                                                                  \
    "SELECT s.game_id, min(s.n), min(g.game), min(g.finished_ms), min(g.is_rated),"                \
    " max(c.game_id) IS NOT NULL, min(c.mu_after - c.mu_before)"                                   \
    " FROM scores s JOIN games g ON g.id = s.game_id"                                              \
    " LEFT JOIN rating_changes c ON c.game_id = s.game_id AND +c.account = s.account WHERE "
#define PLAYED_BEFORE                                                                              \
    " AND s.game_id < ? AND g.state = 1 GROUP BY s.game_id ORDER BY s.game_id DESC LIMIT ?"

/* Passes each game that the query returns to the callback `row`. */
static enum storage_result each_past_game(struct sql *q, storage_past_game_row *row, void *context)
{
    struct storage_past_game played;
    bool goes_on = true;

    while (goes_on && sql_next_row(q)) {
        take_past_game(q, &played);
        const enum storage_result filled = storage_scores_read(
            q->storage, played.game_id, played.scores, STORAGE_SCORES_MAX, &played.score_count);
        if (filled != STORAGE_OK) {
            q->result = filled;
            break;
        }
        goes_on = row(context, &played);
    }
    return sql_end(q);
}

_Static_assert(STORAGE_SEAT_GUEST == 2, "the SQL index scores_of_guest repeats the number 2");

#define STATEMENT STATEMENT_DEFINED
#include "storage/archive/archive.def"

static enum storage_result insert_game(struct storage *storage, const struct storage_game *game,
                                       int64_t *id)
{
    struct storage_game begun = *game;
    struct sql q = sql_write(storage, ROW_INSERT_NEW("games", STORAGE_GAME_COLUMNS));

    begun.state = STORAGE_GAME_PLAYING;
    begun.finished_ms = 0;
    bind_new_game(&q, &begun);
    return sql_run_insertion(&q, id);
}

static enum storage_result insert_seats(struct storage *storage, int64_t id,
                                        const struct storage_game *game)
{
    struct sql q = sql_write(
        storage, "INSERT INTO game_seats (game_id, seat, " ROW_NAMES(
                     STORAGE_SEAT_COLUMNS) ") VALUES (?, ?, " ROW_PLACES(STORAGE_SEAT_COLUMNS) ")");

    for (uint8_t seat = 0; seat < game->players; seat++) {
        sql_bind_int(&q, id);
        sql_bind_int(&q, seat);
        bind_seat(&q, &game->seats[seat]);
        sql_run_and_reset(&q);
    }
    return sql_end(&q);
}

/* Keeps the number of a game's next step, so that a move need not wait for the database. */
static void note_next_step(struct storage *storage, int64_t game, uint32_t step)
{
    const size_t slot = (size_t)game % NEXT_STEPS;

    storage->next_steps[slot].game = game;
    storage->next_steps[slot].step = step;
}

STATEMENT_INSIDE(read_next_step, COUNT(step),
                 "SELECT coalesce((SELECT max(step) + 1 FROM moves WHERE game_id = ?1), 0)"
                 " FROM games WHERE id = ?1",
                 INT(game));

/* Checks that `step` is the game's next step. */
static enum storage_result check_next_step(struct storage *storage, int64_t game, uint32_t step)
{
    const size_t slot = (size_t)game % NEXT_STEPS;
    uint32_t next = storage->next_steps[slot].step;

    if (storage->next_steps[slot].game != game) {
        const enum storage_result result = read_next_step(storage, game, &next);
        if (result != STORAGE_OK) {
            return result == STORAGE_NOT_FOUND ? STORAGE_REFUSED : result;
        }
    }
    if (step == next) {
        return STORAGE_OK;
    }
    return storage_fail(storage->why, step < next ? STORAGE_TAKEN : STORAGE_REFUSED,
                        "step %u was given, but step %u is next", step, next);
}

static enum storage_result start_game(struct storage *storage, const struct storage_game *game,
                                      int64_t *id)
{
    RETURN_FAILURE(insert_game(storage, game, id));
    return insert_seats(storage, *id, game);
}

enum storage_result storage_game_start(struct storage *storage, const struct storage_game *game,
                                       int64_t *id)
{
    int64_t added = 0;

    if (game->players > STORAGE_SEATS_MAX) {
        return STORAGE_REFUSED;
    }
    RETURN_FAILURE(sql_savepoint_begin(storage));
    RETURN_FAILURE(sql_savepoint_end(storage, start_game(storage, game, &added)));
    *id = added;
    note_next_step(storage, added, 0);
    return STORAGE_OK;
}

static enum storage_result read_seats(struct storage *storage, int64_t game,
                                      struct storage_seat seats[STORAGE_SEATS_MAX])
{
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("game_seats", STORAGE_SEAT_COLUMNS) " WHERE game_id = ? ORDER BY seat",
        SQL_INT(game));

    for (size_t seat = 0; seat < STORAGE_SEATS_MAX && sql_next_row(q); seat++) {
        take_seat(q, &seats[seat]);
    }
    return sql_end(q);
}

enum storage_result storage_game_read(struct storage *storage, int64_t id,
                                      struct storage_game *game)
{
    struct sql *q =
        SQL_READ(storage, ROW_SELECT("games", STORAGE_GAME_COLUMNS) " WHERE id = ?", SQL_INT(id));

    const enum storage_result result = read_game(q, game);
    /* also if no game is found, so that the seats are read ahead together with it */
    const enum storage_result seats = read_seats(storage, id, game->seats);
    return result != STORAGE_OK ? result : seats;
}

STATEMENT_INSIDE(end_game, CHANGE,
                 "UPDATE games SET state = ?, finished_ms = ?, is_rated = ?"
                 " WHERE id = ? AND state = 0",
                 GIVEN(const struct storage_finish *finish), VALUE(finish->state),
                 VALUE(finish->finished_ms), VALUE(finish->is_rated), VALUE(finish->game));

static enum storage_result insert_scores(struct storage *storage,
                                         const struct storage_finish *finish)
{
    struct sql q = sql_write(
        storage,
        "INSERT INTO scores (game_id, n, " ROW_NAMES(
            STORAGE_SCORE_ALL_COLUMNS) ")"
                                       " VALUES (?, ?, " ROW_PLACES(STORAGE_SCORE_ALL_COLUMNS) ")");

    for (size_t i = 0; i < finish->score_count; i++) {
        sql_bind_int(&q, finish->game);
        sql_bind_int(&q, (int64_t)i);
        bind_score(&q, &finish->scores[i]);
        sql_run_and_reset(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_game_finish(struct storage *storage,
                                        const struct storage_finish *finish)
{
    if (finish->score_count > STORAGE_SCORES_MAX) {
        return STORAGE_REFUSED;
    }
    RETURN_FAILURE(sql_savepoint_begin(storage));
    enum storage_result result = end_game(storage, finish);
    if (result == STORAGE_OK) {
        result = insert_scores(storage, finish);
    }
    return sql_savepoint_end(storage, result);
}

static enum storage_result delete_rows_of_game(struct storage *storage, int64_t game)
{
    static const char *const deletions[] = {
        "DELETE FROM moves WHERE game_id = ?",
        "DELETE FROM seat_changes WHERE game_id = ?",
        "DELETE FROM game_seats WHERE game_id = ?",
    };
    enum storage_result result = STORAGE_OK;
    for (size_t i = 0; i < ARRAY_LEN(deletions) && result == STORAGE_OK; i++) {
        struct sql q = sql_write(storage, deletions[i]);
        sql_bind_int(&q, game);
        result = sql_run(&q);
    }
    return result;
}

enum storage_result storage_game_delete(struct storage *storage, int64_t game)
{
    RETURN_FAILURE(sql_savepoint_begin(storage));
    enum storage_result result = delete_rows_of_game(storage, game);
    if (result == STORAGE_OK) {
        result = sql_run_change(
            SQL_WRITE(storage, "DELETE FROM games WHERE id = ? AND state = 0", SQL_INT(game)));
    }
    return sql_savepoint_end(storage, result);
}

enum storage_result storage_moves_append(struct storage *storage, const struct storage_move *moves,
                                         size_t count)
{
    struct sql q = sql_write(storage, ROW_INSERT("moves", STORAGE_MOVE_COLUMNS));

    for (size_t i = 0; i < count && q.result == STORAGE_OK; i++) {
        q.result = check_next_step(storage, moves[i].game, moves[i].step);
        bind_move(&q, &moves[i]);
        sql_defer_and_reset(&q);
        if (q.result == STORAGE_OK) {
            note_next_step(storage, moves[i].game, moves[i].step + 1);
        }
    }
    return sql_end(&q);
}
