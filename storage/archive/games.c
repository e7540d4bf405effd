#include "storage/archive/games.h"

#include "storage/archive/player_sets.h"
#include "storage/archive/seat_rows.h"
#include "storage/sql/move_log.h"
#include "storage/sql/sql.h"

static enum storage_result insert_game(struct storage *storage, const struct storage_game *game,
                                       int64_t *id)
{
    struct sql q = sql_write(storage, "INSERT INTO games (table_id, game, players, format, options,"
                                      " seed, commitment, is_rated, started_ms, state,"
                                      " finished_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)");

    sql_bind_int(&q, game->table);
    sql_bind_text(&q, game->game, sizeof game->game);
    sql_bind_int(&q, game->players);
    sql_bind_int(&q, game->format);
    sql_bind_text(&q, game->options, sizeof game->options);
    sql_bind_bytes(&q, game->seed, sizeof game->seed);
    sql_bind_bytes(&q, game->commitment, sizeof game->commitment);
    sql_bind_int(&q, game->is_rated);
    sql_bind_int(&q, game->started_ms);
    return sql_run_new(&q, id);
}

static enum storage_result insert_seats(struct storage *storage, int64_t id,
                                        const struct storage_game *game)
{
    struct sql q = sql_write(storage, "INSERT INTO game_seats"
                                      " (game_id, seat, holder, account, name, policy)"
                                      " VALUES (?, ?, ?, ?, ?, ?)");

    for (uint8_t seat = 0; seat < game->players; seat++) {
        sql_bind_int(&q, id);
        sql_bind_int(&q, seat);
        seat_rows_bind(&q, &game->seats[seat]);
        sql_run_again(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_game_start(struct storage *storage, const struct storage_game *game,
                                       int64_t *id)
{
    int64_t added = 0;

    if (game->players > STORAGE_SEATS_MAX) {
        return STORAGE_REFUSED;
    }
    enum storage_result result = sql_group_begin(storage);
    if (result != STORAGE_OK) {
        return result;
    }
    result = insert_game(storage, game, &added);
    if (result == STORAGE_OK) {
        result = insert_seats(storage, added, game);
    }
    result = sql_group_end(storage, result);
    if (result == STORAGE_OK) {
        *id = added;
        move_log_started(storage, added);
    }
    return result;
}

static void take_game(struct sql *q, struct storage_game *game)
{
    *game = (struct storage_game){.id = sql_int(q)};
    game->table = sql_int(q);
    sql_text(q, game->game, sizeof game->game);
    game->players = (uint8_t)sql_choice(q, STORAGE_SEATS_MAX);
    game->format = (uint8_t)sql_int(q);
    sql_text(q, game->options, sizeof game->options);
    sql_bytes(q, game->seed, sizeof game->seed);
    sql_bytes(q, game->commitment, sizeof game->commitment);
    game->is_rated = sql_int(q) != 0;
    game->state = (enum storage_game_state)sql_choice(q, STORAGE_GAME_STATE_LAST);
    game->started_ms = sql_int(q);
    game->finished_ms = sql_int(q);
}

static enum storage_result read_seats(struct storage *storage, struct storage_game *game)
{
    struct sql q = sql_read(storage, "SELECT holder, account, name, policy FROM game_seats"
                                     " WHERE game_id = ? ORDER BY seat");

    sql_bind_int(&q, game->id);
    for (size_t seat = 0; seat < STORAGE_SEATS_MAX && sql_row(&q); seat++) {
        seat_rows_take(&q, &game->seats[seat]);
    }
    return sql_end(&q);
}

enum storage_result storage_game_read(struct storage *storage, int64_t id,
                                      struct storage_game *game)
{
    struct sql q = sql_read(storage, "SELECT id, table_id, game, players, format, options, seed,"
                                     " commitment, is_rated, state, started_ms, finished_ms"
                                     " FROM games WHERE id = ?");

    sql_bind_int(&q, id);
    if (sql_first(&q)) {
        take_game(&q, game);
    }
    const enum storage_result result = sql_end(&q);
    return result == STORAGE_OK ? read_seats(storage, game) : result;
}

enum storage_result storage_change_add(struct storage *storage, int64_t game,
                                       const struct storage_change *change)
{
    struct sql q = sql_write(storage, "INSERT INTO seat_changes"
                                      " (game_id, n, step, seat, holder, account, name, policy)"
                                      " VALUES (?1, (SELECT count(*) FROM seat_changes"
                                      " WHERE game_id = ?1), ?, ?, ?, ?, ?, ?)");

    sql_bind_int(&q, game);
    sql_bind_int(&q, change->step);
    sql_bind_int(&q, change->seat);
    seat_rows_bind(&q, &change->who);
    return sql_run(&q);
}

enum storage_result storage_changes_each(struct storage *storage, int64_t game,
                                         storage_change_row *row, void *context)
{
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT step, seat, holder, account, name, policy"
                                     " FROM seat_changes WHERE game_id = ? ORDER BY n");

    sql_bind_int(&q, game);
    while (goes_on && sql_row(&q)) {
        struct storage_change change = {.step = (uint32_t)sql_int(&q)};
        change.seat = (uint8_t)sql_int(&q);
        seat_rows_take(&q, &change.who);
        goes_on = row(context, &change);
    }
    return sql_end(&q);
}

/* False for the account of a program, and for nobody's. */
static bool is_person(struct storage *storage, int64_t account, enum storage_result *result)
{
    bool is_bot = true;
    struct sql q = sql_read(storage, "SELECT kind = 1 FROM accounts WHERE id = ?");

    sql_bind_int(&q, account);
    if (sql_first(&q)) {
        is_bot = sql_int(&q) != 0;
    }
    const enum storage_result read = sql_end(&q);
    *result = read == STORAGE_NOT_FOUND ? STORAGE_OK : read;
    return !is_bot;
}

static enum storage_result end_game(struct storage *storage, const struct storage_finish *finish)
{
    int64_t accounts[STORAGE_SCORES_MAX];
    size_t count = 0;
    char people[PLAYER_SET_SIZE];
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; i < finish->score_count && result == STORAGE_OK; i++) {
        const struct storage_seat *who = &finish->scores[i].who;
        if (who->holder == STORAGE_SEAT_PLAYER && is_person(storage, who->account, &result)) {
            accounts[count++] = who->account;
        }
    }
    if (result != STORAGE_OK) {
        return result;
    }
    player_set_write(accounts, count, people);
    struct sql q = sql_write(storage, "UPDATE games SET state = ?, finished_ms = ?,"
                                      " is_rated = ?3, people = iif(?3, ?4, NULL)"
                                      " WHERE id = ?5 AND state = 0");
    sql_bind_int(&q, finish->state);
    sql_bind_int(&q, finish->finished_ms);
    sql_bind_int(&q, finish->is_rated);
    sql_bind_text(&q, people, sizeof people);
    sql_bind_int(&q, finish->game);
    return sql_run_on_row(&q);
}

static enum storage_result insert_scores(struct storage *storage,
                                         const struct storage_finish *finish)
{
    struct sql q = sql_write(storage, "INSERT INTO scores (game_id, n, seat, holder, account,"
                                      " name, policy, score, rank, is_winner, stat_hits,"
                                      " stat_chances, left_for_good)"
                                      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    for (size_t i = 0; i < finish->score_count; i++) {
        const struct storage_score *score = &finish->scores[i];
        sql_bind_int(&q, finish->game);
        sql_bind_int(&q, (int64_t)i);
        sql_bind_int(&q, score->seat);
        seat_rows_bind(&q, &score->who);
        sql_bind_int(&q, score->score);
        sql_bind_int(&q, score->rank);
        sql_bind_int(&q, score->is_winner);
        sql_bind_int(&q, score->stat_hits);
        sql_bind_int(&q, score->stat_chances);
        sql_bind_int(&q, score->left_for_good);
        sql_run_again(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_game_void(struct storage *storage, int64_t game)
{
    struct sql q = sql_write(storage, "UPDATE games SET state = 3 WHERE id = ? AND state = 1");

    sql_bind_int(&q, game);
    return sql_run_on_row(&q);
}

enum storage_result storage_game_finish(struct storage *storage,
                                        const struct storage_finish *finish)
{
    if (finish->score_count > STORAGE_SCORES_MAX) {
        return STORAGE_REFUSED;
    }
    enum storage_result result = sql_group_begin(storage);
    if (result != STORAGE_OK) {
        return result;
    }
    result = end_game(storage, finish);
    if (result == STORAGE_OK) {
        result = insert_scores(storage, finish);
    }
    return sql_group_end(storage, result);
}

enum storage_result storage_scores_read(struct storage *storage, int64_t game,
                                        struct storage_score *scores, size_t capacity,
                                        size_t *count)
{
    struct sql q = sql_read(storage, "SELECT seat, holder, account, name, policy, score, rank,"
                                     " is_winner, stat_hits, stat_chances, left_for_good"
                                     " FROM scores WHERE game_id = ? ORDER BY n");

    *count = 0;
    sql_bind_int(&q, game);
    while (*count < capacity && sql_row(&q)) {
        struct storage_score *score = &scores[(*count)++];
        *score = (struct storage_score){.seat = (uint8_t)sql_int(&q)};
        seat_rows_take(&q, &score->who);
        score->score = (int32_t)sql_int(&q);
        score->rank = (uint8_t)sql_int(&q);
        score->is_winner = sql_int(&q) != 0;
        score->stat_hits = (uint32_t)sql_int(&q);
        score->stat_chances = (uint32_t)sql_int(&q);
        score->left_for_good = sql_int(&q) != 0;
    }
    return sql_end(&q);
}
