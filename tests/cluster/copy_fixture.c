#include "tests/cluster/copy_fixture.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static struct postgres_rig rig;
char copy_fixture_url[POSTGRES_RIG_URL_SIZE];

int copy_fixture_start(void **state)
{
    (void)state;
    postgres_rig_start_alone(&rig);
    postgres_rig_write_url(&rig, "house", copy_fixture_url);
    return 0;
}

int copy_fixture_stop(void **state)
{
    (void)state;
    postgres_rig_stop(&rig);
    return 0;
}

int copy_fixture_setup(void **state)
{
    if (fixture_setup(state) != 0) {
        return -1;
    }
    struct fixture *fixture = *state;
    storage_close(fixture->storage);
    fixture->storage = NULL;
    copy_fixture_empty_database();
    return 0;
}

void copy_fixture_empty_database(void)
{
    postgres_rig_add_database(&rig, "house");
}

void copy_fixture_change_file(const struct fixture *fixture, const char *sql)
{
    char *why = NULL;
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
        fail_msg("%s: %s", sql, why);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void copy_fixture_change_database(const char *sql)
{
    postgres_rig_run_sql(&rig, 0, sql);
}

const char *copy_fixture_ask(const char *query)
{
    static char value[256];
    PGconn *connection = postgres_rig_connect(&rig, 0);
    PGresult *result = PQexec(connection, query);
    if (PQresultStatus(result) != PGRES_TUPLES_OK) {
        fail_msg("%s: %s", query, PQerrorMessage(connection));
    }
    (void)snprintf(value, sizeof value, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(connection);
    return value;
}

void copy_fixture_make_tables(void)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *made = NULL;
    assert_ok(storage_open(copy_fixture_url, &made, why));
    storage_close(made);
}

void copy_fixture_note_progress(void *context, const struct storage_copy_progress *progress)
{
    struct copy_fixture_report *report = context;
    const size_t len = strlen(report->equal);
    if (progress->stage == STORAGE_COPY_EQUAL) {
        (void)snprintf(report->equal + len, sizeof report->equal - len, "%s=%" PRId64 " ",
                       progress->table, progress->rows);
    }
}

static enum storage_result copy_file(const struct fixture *fixture,
                                     struct copy_fixture_report *report, char why[STORAGE_WHY_SIZE])
{
    struct storage *from = NULL;
    *report = (struct copy_fixture_report){.equal = ""};
    assert_ok(storage_open_temporary_copy(fixture->path, &from, why));
    const enum storage_result result =
        storage_copy_to_postgres(from, copy_fixture_url, copy_fixture_note_progress, report, why);
    storage_close(from);
    return result;
}

void copy_fixture_expect_copy(const struct fixture *fixture, struct copy_fixture_report *report)
{
    char why[STORAGE_WHY_SIZE] = "";
    if (copy_file(fixture, report, why) != STORAGE_OK) {
        fail_msg("%s", why);
    }
}

void copy_fixture_expect_refusal(const struct fixture *fixture, enum storage_result expected,
                                 const char *expected_words)
{
    struct copy_fixture_report report;
    char why[STORAGE_WHY_SIZE] = "";
    assert_result(copy_file(fixture, &report, why), expected);
    if (strstr(why, expected_words) == NULL) {
        fail_msg("expected \"%s\" in \"%s\"", expected_words, why);
    }
    assert_null(strstr(why, rig.password));
}
