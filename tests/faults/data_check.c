#include "tests/faults/data_check.h"

#include "lobby/house/parts.h"
#include "storage/chat/chat.h"
#include "storage/tables/tables.h"
#include "tests/faults/data_check_rows.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROOF_PATH "house.db"

static void data_check_note_problem(struct findings *findings, const char *kind,
                                    const char *description, int64_t number)
{
    if (findings->first[0] == '\0') {
        (void)snprintf(findings->first, sizeof(findings->first), "%s: %.180s %" PRId64, kind,
                       description, number);
    }
}

void data_check_note_lost_fact(struct findings *findings, const char *description, int64_t number)
{
    findings->lost++;
    data_check_note_problem(findings, "lost", description, number);
}

void data_check_note_contradiction(struct findings *findings, const char *description,
                                   int64_t number)
{
    findings->corrupt++;
    data_check_note_problem(findings, "corrupt", description, number);
}

/* Opens the data as a restarted core would. */
static sqlite3 *data_check_open_data(const char *path, const char *disk_name)
{
    sqlite3 *db = NULL;
    /* As in the core, SQLite's exclusive locking lets it read the write-ahead log without shared
     * memory. */
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, disk_name) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_schema",
                     NULL, NULL, NULL) != SQLITE_OK) {
        (void)sqlite3_close(db);
        return NULL;
    }
    return db;
}

static bool data_check_is_pragma_ok(sqlite3 *db, const char *pragma)
{
    sqlite3_stmt *statement = NULL;
    bool is_ok = false;
    if (sqlite3_prepare_v2(db, pragma, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        const unsigned char *text = sqlite3_column_text(statement, 0);
        is_ok = text != NULL && strcmp((const char *)text, "ok") == 0;
    }
    (void)sqlite3_finalize(statement);
    return is_ok;
}

/* Checks that the data contain no contradictions, whatever players were told. */
static void data_check_soundness(sqlite3 *db, struct findings *findings)
{
    static const struct {
        const char *what, *sql;
    } none_of[] = {
        {"references to nothing", "SELECT count(*) FROM pragma_foreign_key_check"},
        {"tables in play without an unfinished game",
         "SELECT count(*) FROM tables t WHERE t.state = 1 AND NOT EXISTS"
         " (SELECT 1 FROM games g WHERE g.id = t.game_id AND g.state = 0)"},
        {"unfinished games without a table in play",
         "SELECT count(*) FROM games g WHERE g.state = 0 AND NOT EXISTS"
         " (SELECT 1 FROM tables t WHERE t.id = g.table_id AND t.game_id = g.id AND t.state = 1)"},
        {"requests at tables where the game does not allow them",
         "SELECT count(*) FROM tables WHERE (rematch <> 0 AND state <> 2)"
         " OR (state <> 1 AND (asks_pause <> 0 OR asks_adjourn <> 0 OR asks_resume <> 0))"},
        {"invitations to closed tables",
         "SELECT count(*) FROM invitations i JOIN tables t ON t.id = i.table_id WHERE t.state = 3"},
        {"ratings that are neither what the last game made them nor changed by staff",
         "SELECT count(*) FROM ratings r WHERE r.season = 0 AND r.games > 0"
         " AND NOT EXISTS"
         " (SELECT 1 FROM rating_changes c WHERE c.account = r.account AND c.game = r.game"
         " AND c.mu_after = r.mu) AND NOT EXISTS (SELECT 1 FROM audit WHERE " PROOF_RERATES ")"},
        {"requests carried out twice",
         "SELECT count(*) FROM (SELECT 1 FROM moves WHERE conn <> 0 GROUP BY conn, request"
         " HAVING count(*) > 1)"},
    };
    if (!data_check_is_pragma_ok(db, "PRAGMA integrity_check")) {
        data_check_note_contradiction(findings, "integrity_check", 0);
    }
    for (size_t i = 0; i < sizeof(none_of) / sizeof(none_of[0]); i++) {
        const int64_t count = data_check_read_number(db, none_of[i].sql, 0);
        if (count != 0) {
            data_check_note_contradiction(findings, none_of[i].what, count);
        }
    }
}

/* Whether the query finds a row for the name. */
static bool data_check_has_row_for_name(sqlite3 *db, const char *sql, const char *name)
{
    sqlite3_stmt *row = NULL;
    bool is_found = false;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC);
        is_found = sqlite3_step(row) == SQLITE_ROW;
    }
    (void)sqlite3_finalize(row);
    return is_found;
}

/* Whether the name is the one that players were told, or one that staff have given the player
 * since. */
static bool data_check_is_current_name(sqlite3 *db, const char *told_name, const char *name)
{
    return strcmp(told_name, name) == 0 ||
           data_check_has_row_for_name(db,
                                       "SELECT 1 FROM audit WHERE result = 'ok'"
                                       " AND verb IN ('rename', 'delete') AND target_name = ?",
                                       told_name);
}

static const struct ledger_game *data_check_find_game_in_ledger(const struct ledger *ledger,
                                                                int64_t id)
{
    return (size_t)id < ledger->game_cap && ledger->games[id].id == id ? &ledger->games[id] : NULL;
}

/* Whether the move is stored at the step for which it was requested, or, where several seats may
 * move, up to a few steps later. The request's number is not compared, because a session that
 * serves a program gives the program's requests new numbers. */
static bool data_check_has_move(const struct stored_game *game, const struct ledger_move *told_move)
{
    const size_t step = (size_t)told_move->step;
    if (step < game->move_count && strcmp(game->moves[step].text, told_move->text) == 0) {
        return true;
    }
    for (size_t i = step; i < game->move_count && i < step + SEATS_MAX; i++) {
        if (game->moves[i].conn == told_move->conn &&
            strcmp(game->moves[i].text, told_move->text) == 0) {
            return true;
        }
    }
    return false;
}

static int data_check_compare_moves_by_game(const void *a, const void *b)
{
    const struct ledger_move *left = *(const struct ledger_move *const *)a;
    const struct ledger_move *right = *(const struct ledger_move *const *)b;
    return (left->game > right->game) - (left->game < right->game);
}

/* Sorts the moves that were answered `ok` by game, because a million of them are looked up in
 * thousands of games. */
static const struct ledger_move **data_check_sort_moves(const struct ledger *ledger)
{
    const struct ledger_move **moves =
        memory_new((ledger->move_count + 1) * sizeof(struct ledger_move *));
    for (size_t i = 0; i < ledger->move_count; i++) {
        moves[i] = &ledger->moves[i];
    }
    qsort(moves, ledger->move_count, sizeof(struct ledger_move *),
          data_check_compare_moves_by_game);
    return moves;
}

/* Whether the number belongs to no game: none is stored, and no player was told of one. */
static bool data_check_is_gap(sqlite3 *db, const struct ledger *ledger, int64_t id)
{
    return data_check_find_game_in_ledger(ledger, id) == NULL &&
           data_check_read_number(db, "SELECT count(*) FROM games WHERE id = ?", id) == 0;
}

/* Whether the game ended before a person had moved: it is not stored, and its table is closed. */
static bool data_check_is_unplayed(sqlite3 *db, const struct ledger *ledger, int64_t id)
{
    const struct ledger_game *told = data_check_find_game_in_ledger(ledger, id);
    return (told == NULL || told->result == NULL) &&
           data_check_read_number(db, "SELECT count(*) FROM games WHERE id = ?", id) == 0 &&
           data_check_read_number(db, "SELECT count(*) FROM tables WHERE game_id = ? AND state = 3",
                                  id) == 1;
}

static void data_check_games(sqlite3 *db, const struct ledger *ledger, bool may_have_gaps,
                             struct findings *findings)
{
    const int64_t last = data_check_read_number(db, "SELECT coalesce(max(id), 0) FROM games", 0);
    const struct ledger_move **moves = data_check_sort_moves(ledger);
    size_t next = 0;
    for (int64_t id = 1; id <= last; id++) {
        struct stored_game game = {.id = id};
        bool is_read = !(may_have_gaps && data_check_is_gap(db, ledger, id)) &&
                       !data_check_is_unplayed(db, ledger, id) &&
                       data_check_read_game(db, id, &game, findings);
        if (is_read) {
            data_check_replay_game(db, &game, data_check_find_game_in_ledger(ledger, id), findings);
        }
        for (; next < ledger->move_count && moves[next]->game <= id; next++) {
            findings->checked++;
            if (!is_read || moves[next]->game != id || !data_check_has_move(&game, moves[next])) {
                data_check_note_lost_fact(findings, "a move answered ok, in game",
                                          moves[next]->game);
            }
        }
        data_check_clear_game(&game);
    }
    free(moves);
    for (size_t id = (size_t)(last < 0 ? 0 : last) + 1; id < ledger->game_cap; id++) {
        if (ledger->games[id].id != 0 && !data_check_is_unplayed(db, ledger, (int64_t)id)) {
            data_check_note_lost_fact(findings, "a whole game", (int64_t)id);
        }
    }
    for (size_t i = 0; i < ledger->move_count; i++) {
        if (ledger->moves[i].game > last) {
            data_check_note_lost_fact(findings, "a move answered ok, in game",
                                      ledger->moves[i].game);
        }
    }
}

static uint64_t data_check_hash_chat_line(sqlite3_stmt *row)
{
    static const char *const channels[] = {"lobby", "table", "tell"};
    static const char *const kinds[] = {"say", "me", "system"};
    const struct ledger_line line = {
        .channel = channels[sqlite3_column_int(row, 1) % 3],
        .kind = kinds[sqlite3_column_int(row, 2) % 3],
        .text = (const char *)sqlite3_column_text(row, 5),
        .at_ms = sqlite3_column_int64(row, 6),
    };
    return ledger_hash_line(&line);
}

/* Whether the chat line is stored as players were told. One of the people in it may have been
 * renamed since, or deleted together with all their lines. */
static bool data_check_has_chat_line(sqlite3 *db, sqlite3_stmt *row,
                                     const struct ledger_told_line *told_line)
{
    const bool is_erased =
        sqlite3_column_int64(row, 7) != 0 && sqlite3_column_bytes(row, 5) == 0 &&
        data_check_read_number(db,
                               "SELECT count(*) FROM audit WHERE result = 'ok' AND verb = 'delete'"
                               " AND target_id = ?",
                               sqlite3_column_int64(row, 8)) > 0;
    return (is_erased || told_line->words == data_check_hash_chat_line(row)) &&
           data_check_is_current_name(db, told_line->from,
                                      (const char *)sqlite3_column_text(row, 3)) &&
           data_check_is_current_name(db, told_line->to, (const char *)sqlite3_column_text(row, 4));
}

static void data_check_chat(sqlite3 *db, const struct ledger *ledger, struct findings *findings)
{
    sqlite3_stmt *row = NULL;
    uint64_t found = 0;
    uint64_t told = 0;
    for (size_t i = 0; i < ledger->line_cap; i++) {
        told += ledger->lines[i].words != 0;
    }
    if (sqlite3_prepare_v2(db,
                           "SELECT number, channel, kind, from_name, to_name, text, at_ms,"
                           " hidden_ms, account FROM chat",
                           -1, &row, NULL) == SQLITE_OK) {
        while (sqlite3_step(row) == SQLITE_ROW) {
            const size_t number = (size_t)sqlite3_column_int64(row, 0);
            const struct ledger_told_line *line =
                number < ledger->line_cap ? &ledger->lines[number] : NULL;
            if (line == NULL || line->words == 0) {
                continue;
            }
            found++;
            if (!data_check_has_chat_line(db, row, line)) {
                data_check_note_lost_fact(
                    findings, "a shown chat line differs from the stored line", (int64_t)number);
            }
        }
    }
    (void)sqlite3_finalize(row);
    findings->checked += told;
    for (uint64_t i = found; i < told; i++) {
        data_check_note_lost_fact(findings, "chat lines", (int64_t)(told - found));
    }
}

static void data_check_player_names(sqlite3 *db, const struct ledger *ledger,
                                    struct findings *findings)
{
    for (size_t i = 0; i < ledger->account_count; i++) {
        const char *name = ledger->accounts[i];
        findings->checked++;
        if (!data_check_has_row_for_name(db, "SELECT 1 FROM accounts WHERE name = ?", name) &&
            !data_check_is_current_name(db, name, "")) {
            data_check_note_lost_fact(findings, name, 0);
        }
    }
    for (size_t i = 0; i < ledger->table_count; i++) {
        findings->checked++;
        if (data_check_read_number(db, "SELECT 1 FROM tables WHERE id = ?", ledger->tables[i]) !=
            1) {
            data_check_note_lost_fact(findings, "table", ledger->tables[i]);
        }
    }
}

/* Whether a request that the player has made in that game must be stored but is missing. */
static bool data_check_lacks_request(sqlite3 *db, const char *sql,
                                     const struct ledger_requests *requests)
{
    sqlite3_stmt *row = NULL;
    bool is_lacking = true;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_int64(row, 1, requests->game);
        (void)sqlite3_bind_text(row, 2, requests->name, -1, SQLITE_STATIC);
        is_lacking = sqlite3_step(row) == SQLITE_ROW;
    }
    (void)sqlite3_finalize(row);
    return is_lacking;
}

/* Checks the players' requests. A request for a pause lasts until it is granted, the game is over
 * or the player has left; the player may not know yet that staff have removed them. A request for
 * another game lasts until that game begins. Both end when the player leaves the seat. */
static void data_check_requests(sqlite3 *db, const struct ledger *ledger, struct findings *findings)
{
    static const char no_pause[] =
        "SELECT 1 FROM tables t JOIN table_seats s ON s.table_id = t.id"
        " WHERE t.game_id = ?1 AND t.state = 1 AND t.halt IN (0, 3) AND s.name = ?2"
        " AND t.asks_pause >> s.seat & 1 = 0"
        " AND EXISTS (SELECT 1 FROM connections c WHERE c.account = s.account AND c.bye = '')";
    static const char no_rematch[] =
        "SELECT 1 FROM tables t JOIN table_seats s ON s.table_id = t.id"
        " WHERE t.game_id = ?1 AND t.state = 2 AND s.name = ?2"
        " AND t.rematch >> s.seat & 1 = 0";
    for (size_t i = 0; i < ledger->ask_count; i++) {
        const struct ledger_requests *requests = &ledger->asks[i];
        const struct ledger_game *game =
            requests->game > 0 ? data_check_find_game_in_ledger(ledger, requests->game) : NULL;
        const bool is_pause = requests->is_pause && (game == NULL || !game->is_resumed);
        findings->checked += (uint64_t)is_pause + requests->is_rematch;
        if (is_pause && data_check_lacks_request(db, no_pause, requests)) {
            data_check_note_lost_fact(findings, "a request for a pause of game", requests->game);
        }
        if (requests->is_rematch && data_check_lacks_request(db, no_rematch, requests)) {
            data_check_note_lost_fact(findings, "a request for a rematch after game",
                                      requests->game);
        }
    }
}

static void data_check_database(sqlite3 *db, const struct ledger *ledger, bool may_have_gaps,
                                struct findings *findings)
{
    if (db == NULL) {
        data_check_note_contradiction(findings, "the data cannot be opened", 0);
    } else if (data_check_read_number(db, "PRAGMA user_version", 0) > 0) {
        data_check_soundness(db, findings);
        data_check_games(db, ledger, may_have_gaps, findings);
        data_check_chat(db, ledger, findings);
        data_check_player_names(db, ledger, findings);
        data_check_requests(db, ledger, findings);
        data_check_orders(db, ledger, findings);
    } else if (ledger->account_count > 0) {
        data_check_note_lost_fact(findings, "everything", 0);
    }
    if (ledger->contradictions > 0) {
        data_check_note_lost_fact(findings, ledger->contradiction, (int64_t)ledger->contradictions);
    }
    (void)sqlite3_close(db);
}

void data_check_disk(const struct disk *disk, const struct ledger *ledger,
                     struct findings *findings)
{
    struct disk *copy = disk_copy(disk);
    struct disk *before = disk_use_for_new_files(copy);
    data_check_database(data_check_open_data(PROOF_PATH, DISK_NAME), ledger, false, findings);
    (void)disk_use_for_new_files(before);
    disk_free(copy);
}

void data_check_file(const char *path, const struct ledger *ledger, bool may_have_gaps,
                     struct findings *findings)
{
    data_check_database(data_check_open_data(path, NULL), ledger, may_have_gaps, findings);
}

/* Hashes every row of every table; each table's rows are ordered by their key. Moves that are still
 * in the log of moves are hashed like stored moves. */
static void data_check_hash_rows(sqlite3 *db, const char *sql, crypto_generichash_state *state)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK) {
        while (sqlite3_step(row) == SQLITE_ROW) {
            for (int i = 0; i < sqlite3_column_count(row); i++) {
                const void *bytes = sqlite3_column_blob(row, i);
                const uint8_t head[2] = {(uint8_t)i, (uint8_t)sqlite3_column_type(row, i)};
                (void)crypto_generichash_update(state, head, sizeof(head));
                (void)crypto_generichash_update(state, bytes,
                                                (unsigned long long)sqlite3_column_bytes(row, i));
            }
        }
    }
    (void)sqlite3_finalize(row);
}

uint64_t data_check_hash_content(const struct disk *disk)
{
    struct disk *copy = disk_copy(disk);
    struct disk *before = disk_use_for_new_files(copy);
    sqlite3 *db = data_check_open_data(PROOF_PATH, DISK_NAME);
    sqlite3_stmt *table = NULL;
    uint8_t digest[crypto_generichash_BYTES_MIN];
    uint64_t hash = 0;
    crypto_generichash_state state;
    (void)crypto_generichash_init(&state, NULL, 0, sizeof(digest));
    if (db != NULL && sqlite3_prepare_v2(db,
                                         "SELECT 'SELECT * FROM \"' || name || '\" ORDER BY 1, 2'"
                                         " FROM sqlite_schema WHERE type = 'table' ORDER BY name",
                                         -1, &table, NULL) == SQLITE_OK) {
        while (sqlite3_step(table) == SQLITE_ROW) {
            data_check_hash_rows(db, (const char *)sqlite3_column_text(table, 0), &state);
        }
        (void)crypto_generichash_final(&state, digest, sizeof(digest));
        memcpy(&hash, digest, sizeof(hash));
    }
    (void)sqlite3_finalize(table);
    (void)sqlite3_close(db);
    (void)disk_use_for_new_files(before);
    disk_free(copy);
    return hash;
}
