#include "games/face.h"
#include "games/history.h"
#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "storage/archive/archive.h"
#include "tests/faults/data_check_rows.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t data_check_read_number(sqlite3 *db, const char *sql, int64_t argument)
{
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_int64(statement, 1, argument);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            number = sqlite3_column_int64(statement, 0);
        }
    }
    (void)sqlite3_finalize(statement);
    return number;
}

static const char *data_check_read_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text == NULL ? "" : (const char *)text;
}

static bool data_check_read_game_setup(sqlite3_stmt *row, struct stored_game *game)
{
    game->table = sqlite3_column_int64(row, 0);
    game->def = game_find(data_check_read_text(row, 1));
    if (game->def == NULL || sqlite3_column_int(row, 7) != GAME_FORMAT ||
        sqlite3_column_bytes(row, 4) != SEED_BYTES ||
        sqlite3_column_bytes(row, 5) != (int)sizeof(game->commitment)) {
        return false;
    }
    game->config = game_config_default(game->def, (uint8_t)sqlite3_column_int(row, 2));
    json_t *options = json_loads(data_check_read_text(row, 3), 0, NULL);
    const bool is_good = config_from_json(game->def, options, &game->config);
    json_decref(options);
    memcpy(game->seed, sqlite3_column_blob(row, 4), sizeof(game->seed));
    memcpy(game->commitment, sqlite3_column_blob(row, 5), sizeof(game->commitment));
    game->state = sqlite3_column_int64(row, 6);
    return is_good &&
           game_start(game->def, &game->config, game->seed, &game->start, NULL) == GAME_OK;
}

static void data_check_read_game_moves(sqlite3 *db, struct stored_game *game)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(db,
                           "SELECT step, conn, request, seat, move FROM moves WHERE game_id = ?1"
                           " ORDER BY step",
                           -1, &row, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_int64(row, 1, game->id);
        while (sqlite3_step(row) == SQLITE_ROW) {
            game->moves =
                memory_grow(game->moves, game->move_count, &game->move_cap, sizeof(*game->moves));
            struct data_check_move *move = &game->moves[game->move_count++];
            move->step = sqlite3_column_int64(row, 0);
            move->conn = sqlite3_column_int64(row, 1);
            move->request = sqlite3_column_int64(row, 2);
            move->seat = (uint8_t)sqlite3_column_int(row, 3);
            (void)snprintf(move->text, sizeof(move->text), "%s", data_check_read_text(row, 4));
        }
    }
    (void)sqlite3_finalize(row);
}

bool data_check_read_game(sqlite3 *db, int64_t id, struct stored_game *game,
                          struct findings *findings)
{
    sqlite3_stmt *row = NULL;
    bool is_good = false;
    *game = (struct stored_game){.id = id};
    if (sqlite3_prepare_v2(
            db,
            "SELECT table_id, game, players, options, seed, commitment, state, format"
            " FROM games WHERE id = ?",
            -1, &row, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_int64(row, 1, id);
        is_good = sqlite3_step(row) == SQLITE_ROW && data_check_read_game_setup(row, game);
    }
    (void)sqlite3_finalize(row);
    if (!is_good) {
        data_check_note_contradiction(findings, "the set-up of game", id);
        return false;
    }
    uint8_t commitment[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(commitment, game->seed, sizeof(game->seed));
    if (memcmp(commitment, game->commitment, sizeof(commitment)) != 0) {
        data_check_note_contradiction(findings, "the commitment of game", id);
    }
    data_check_read_game_moves(db, game);
    return true;
}

void data_check_clear_game(struct stored_game *game)
{
    free(game->moves);
    game->moves = NULL;
}

/* Compares the views that players were shown at this step with those of the replayed state. */
static void data_check_views(const struct stored_game *game, const struct game_state *state,
                             size_t step, const struct ledger_game *told_game,
                             struct findings *findings)
{
    const uint8_t seats = game_seats(game->def, &game->config);
    for (int i = 0; told_game != NULL && i < LEDGER_VIEWERS; i++) {
        const int8_t seat = (int8_t)(i == LEDGER_VIEWERS - 1 ? SPECTATOR : i);
        if (!told_game->views[i].is_there || told_game->views[i].step != step || seat >= seats) {
            continue;
        }
        struct game_view view;
        char buffer[VIEW_TEXT_MAX];
        struct text text = text_init(buffer, sizeof(buffer));
        game_fill_view(game->def, state, seat, &view);
        view_write(&view, &text);
        findings->checked++;
        if (ledger_hash(buffer, text.len) != told_game->views[i].hash) {
            data_check_note_lost_fact(findings, "a shown view differs from the replay in game",
                                      game->id);
        }
    }
}

static void data_check_scores(sqlite3 *db, const struct stored_game *game,
                              const struct game_state *state, struct findings *findings)
{
    struct game_outcome outcome;
    sqlite3_stmt *row = NULL;
    int seats = 0;
    game_fill_outcome(game->def, state, &outcome);
    if (sqlite3_prepare_v2(db,
                           "SELECT seat, score, rank, is_winner FROM scores"
                           " WHERE game_id = ? AND NOT left_for_good",
                           -1, &row, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_int64(row, 1, game->id);
        while (sqlite3_step(row) == SQLITE_ROW) {
            const int seat = sqlite3_column_int(row, 0);
            seats++;
            if (seat >= game->config.players ||
                sqlite3_column_int(row, 1) != outcome.scores[seat] ||
                sqlite3_column_int(row, 2) != outcome.ranks[seat] ||
                sqlite3_column_int(row, 3) != (outcome.winners >> seat & 1)) {
                data_check_note_contradiction(
                    findings, "the stored scores differ from the replay in game", game->id);
            }
        }
    }
    (void)sqlite3_finalize(row);
    if (seats != (lesson_has_seed(game->def, game->seed) ? 0 : game->config.players)) {
        data_check_note_contradiction(findings, "scores are missing in game", game->id);
    }
}

/* Checks that the rating stored for this game is the one that the result announced. */
static void data_check_ratings(sqlite3 *db, const struct stored_game *game, const json_t *result,
                               struct findings *findings)
{
    size_t seat = 0;
    json_t *told = NULL;
    json_array_foreach(json_object_get(result, "ratings"), seat, told)
    {
        sqlite3_stmt *row = NULL;
        bool is_there = false;
        if (json_is_null(told)) {
            continue;
        }
        if (sqlite3_prepare_v2(db,
                               "SELECT mu_after FROM rating_changes"
                               " WHERE game_id = ? AND seat = ?",
                               -1, &row, NULL) == SQLITE_OK) {
            (void)sqlite3_bind_int64(row, 1, game->id);
            (void)sqlite3_bind_int64(row, 2, (sqlite3_int64)seat);
            is_there = sqlite3_step(row) == SQLITE_ROW &&
                       lround(rating_points(sqlite3_column_double(row, 0))) ==
                           ledger_read_number(told, "after");
        }
        (void)sqlite3_finalize(row);
        findings->checked++;
        if (!is_there) {
            data_check_note_lost_fact(findings, "a rating shown with the result of game", game->id);
        }
    }
}

/* Whether the game is finished, or was declared void afterwards. */
static bool data_check_game_is_over(sqlite3 *db, const struct stored_game *game)
{
    return game->state == STORAGE_GAME_FINISHED ||
           (game->state == STORAGE_GAME_VOID &&
            data_check_read_number(
                db,
                "SELECT count(*) FROM audit WHERE result = 'ok' AND verb = 'void'"
                " AND target_id = ?",
                game->id) == 1);
}

static void data_check_result(sqlite3 *db, const struct stored_game *game,
                              const struct game_state *state, const struct ledger_game *told_game,
                              struct findings *findings)
{
    struct game_outcome outcome;
    size_t seat = 0;
    json_t *score = NULL;
    if (told_game == NULL || told_game->result == NULL) {
        return;
    }
    findings->checked++;
    if (!data_check_game_is_over(db, game) || game_seats_to_act(state) != 0) {
        data_check_note_lost_fact(findings, "the result of game", game->id);
        return;
    }
    game_fill_outcome(game->def, state, &outcome);
    json_array_foreach(json_object_get(told_game->result, "scores"), seat, score)
    {
        if (seat >= SEATS_MAX || json_integer_value(score) != outcome.scores[seat]) {
            data_check_note_lost_fact(findings, "the scores shown of game", game->id);
        }
    }
    if (data_check_read_number(db, "SELECT count(*) FROM audit WHERE at_ms >= ? AND " PROOF_RERATES,
                               told_game->result_ms) == 0) {
        data_check_ratings(db, game, told_game->result, findings);
    }
}

void data_check_replay_game(sqlite3 *db, const struct stored_game *game,
                            const struct ledger_game *told_game, struct findings *findings)
{
    struct game_state state = game->start;
    data_check_views(game, &state, 0, told_game, findings);
    for (size_t i = 0; i < game->move_count; i++) {
        const struct data_check_move *move = &game->moves[i];
        if (move->step != (int64_t)i ||
            game_apply(game->def, &state, move->seat, game_move_parse(game->def, move->text),
                       NULL) != GAME_OK) {
            data_check_note_contradiction(
                findings, "the rules do not allow the stored moves of game", game->id);
            return;
        }
        data_check_views(game, &state, i + 1, told_game, findings);
    }
    for (int i = 0; told_game != NULL && i < LEDGER_VIEWERS; i++) {
        if (told_game->views[i].is_there && told_game->views[i].step > game->move_count) {
            data_check_note_lost_fact(findings, "shown moves are missing in game", game->id);
        }
    }
    const bool is_over = game_seats_to_act(&state) == 0;
    if (is_over != data_check_game_is_over(db, game) && game->state != STORAGE_GAME_CUT) {
        data_check_note_contradiction(
            findings, "the end of the replay differs from the data in game", game->id);
    } else if (is_over) {
        data_check_scores(db, game, &state, findings);
    }
    data_check_result(db, game, &state, told_game, findings);
}
