#include "tests/storage/archive/moves_baseline.h"

#include "storage/sql/sql.h"

#include <stdio.h>
#include <stdlib.h>

struct storage_baseline {
    sqlite3 *db;
    sqlite3_stmt *begin;
    sqlite3_stmt *insert;
    sqlite3_stmt *commit;
};

static const char form[] = "CREATE TABLE moves (n INTEGER PRIMARY KEY, game_id INTEGER NOT NULL,"
                           " step INTEGER NOT NULL, seat INTEGER NOT NULL, move TEXT NOT NULL,"
                           " at_ms INTEGER NOT NULL, conn INTEGER NOT NULL,"
                           " request INTEGER NOT NULL) STRICT;"
                           "CREATE TABLE other AS SELECT randomblob(4500000);"
                           "PRAGMA wal_checkpoint;";

static const char insert_text[] = "INSERT INTO moves (game_id, step, seat, move, at_ms, conn,"
                                  " request) VALUES (?, ?, ?, ?, ?, ?, ?)";

static int prepare_statement(sqlite3 *db, const char *text, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static bool create_baseline_file(struct storage_baseline *baseline, const char *path)
{
    return sqlite3_open(path, &baseline->db) == SQLITE_OK &&
           sqlite3_exec(baseline->db, sql_sqlite_settings(), NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(baseline->db, form, NULL, NULL, NULL) == SQLITE_OK &&
           prepare_statement(baseline->db, "BEGIN", &baseline->begin) == SQLITE_OK &&
           prepare_statement(baseline->db, insert_text, &baseline->insert) == SQLITE_OK &&
           prepare_statement(baseline->db, "COMMIT", &baseline->commit) == SQLITE_OK;
}

enum storage_result storage_baseline_open(const char *path, struct storage_baseline **baseline,
                                          char why[STORAGE_WHY_SIZE])
{
    *baseline = NULL;
    why[0] = '\0';
    struct storage_baseline *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "out of memory");
        return STORAGE_IO;
    }
    if (!create_baseline_file(opened, path)) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", sqlite3_errmsg(opened->db));
        storage_baseline_close(opened);
        return STORAGE_IO;
    }
    *baseline = opened;
    return STORAGE_OK;
}

void storage_baseline_close(struct storage_baseline *baseline)
{
    if (baseline == NULL) {
        return;
    }
    (void)sqlite3_finalize(baseline->begin);
    (void)sqlite3_finalize(baseline->insert);
    (void)sqlite3_finalize(baseline->commit);
    (void)sqlite3_close(baseline->db);
    free(baseline);
}

static bool run_statement(sqlite3_stmt *statement)
{
    const bool is_done = sqlite3_step(statement) == SQLITE_DONE;

    return sqlite3_reset(statement) == SQLITE_OK && is_done;
}

static bool insert_move(sqlite3_stmt *statement, const struct storage_move *move)
{
    return sqlite3_bind_int64(statement, 1, move->game) == SQLITE_OK &&
           sqlite3_bind_int64(statement, 2, move->step) == SQLITE_OK &&
           sqlite3_bind_int64(statement, 3, move->seat) == SQLITE_OK &&
           sqlite3_bind_text(statement, 4, move->text, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_int64(statement, 5, move->at_ms) == SQLITE_OK &&
           sqlite3_bind_int64(statement, 6, move->conn) == SQLITE_OK &&
           sqlite3_bind_int64(statement, 7, move->request) == SQLITE_OK && run_statement(statement);
}

enum storage_result storage_baseline_write_moves(struct storage_baseline *baseline,
                                                 const struct storage_move *moves, size_t count)
{
    bool is_written = run_statement(baseline->begin);

    for (size_t i = 0; is_written && i < count; i++) {
        is_written = insert_move(baseline->insert, &moves[i]);
    }
    return is_written && run_statement(baseline->commit) ? STORAGE_OK : STORAGE_IO;
}
