#include "storage/copies.h"

#include "storage/sql/postgres.h"
#include "storage/sql/sql.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum storage_result check_application_id_and_version(struct storage *storage,
                                                            int64_t *version)
{
    int64_t application = 0;

    RETURN_FAILURE(sql_read_number(storage, "PRAGMA application_id", &application));
    RETURN_FAILURE(sql_read_number(storage, "PRAGMA user_version", version));
    if (application == MIGRATE_OLD_APPLICATION_ID) {
        return migrate_refuse_old_data(*version, storage->why);
    }
    if (application != MIGRATE_APPLICATION_ID) {
        return storage_fail(storage->why, STORAGE_FOREIGN,
                            "the file does not hold the data of a house");
    }
    if (*version > (int64_t)storage_schema_version()) {
        return storage_fail(storage->why, STORAGE_NEWER, "a newer program wrote the file");
    }
    return STORAGE_OK;
}

static enum storage_result check_foreign_keys(struct storage *storage)
{
    int64_t broken = 0;
    const enum storage_result result =
        sql_read_number(storage, "SELECT count(*) FROM pragma_foreign_key_check", &broken);

    if (result == STORAGE_OK && broken > 0) {
        return storage_fail(storage->why, STORAGE_CORRUPT,
                            "some rows of the file refer to missing rows");
    }
    return result;
}

static enum storage_result read_summary(struct storage *storage, struct storage_summary *summary)
{
    RETURN_FAILURE(sql_read_number(storage, "SELECT count(*) FROM accounts WHERE kind = 0",
                                   &summary->accounts));
    RETURN_FAILURE(
        sql_read_number(storage, "SELECT count(*) FROM games WHERE state = 1", &summary->games));
    return sql_read_number(storage, "SELECT max(finished_ms) FROM games WHERE state = 1",
                           &summary->last_ms);
}

static enum storage_result check_and_read_summary(struct storage *storage,
                                                  struct storage_summary *summary)
{
    RETURN_FAILURE(file_check_pages(storage));
    RETURN_FAILURE(check_foreign_keys(storage));
    return read_summary(storage, summary);
}

/* Opens a file for reading, which file_check_close ends. */
static enum storage_result open_known_file(const char *path, struct storage **storage,
                                           int64_t *version)
{
    *version = 0;
    RETURN_FAILURE(file_check_open(path, storage));
    return check_application_id_and_version(*storage, version);
}

enum storage_result storage_check_file(const char *path, struct storage_summary *summary,
                                       char why[STORAGE_WHY_SIZE])
{
    int64_t version;
    struct storage *storage;
    enum storage_result result = open_known_file(path, &storage, &version);

    *summary = (struct storage_summary){0};
    if (result == STORAGE_OK) {
        result = check_and_read_summary(storage, summary);
    }
    return file_check_close(storage, result, why);
}

enum storage_result storage_open_read_only(const char *path, struct storage **storage,
                                           char why[STORAGE_WHY_SIZE])
{
    int64_t version;
    struct storage *opened;
    enum storage_result result = open_known_file(path, &opened, &version);

    if (result == STORAGE_OK && version < (int64_t)storage_schema_version()) {
        (void)snprintf(opened->why, sizeof opened->why,
                       "an older program wrote the file: restore it and open the house once");
        result = STORAGE_REFUSED;
    }
    *storage = result == STORAGE_OK ? opened : NULL;
    return result == STORAGE_OK ? STORAGE_OK : file_check_close(opened, result, why);
}

enum storage_result storage_open_temporary_copy(const char *path, struct storage **storage,
                                                char why[STORAGE_WHY_SIZE])
{
    int64_t version;
    struct storage *source;
    enum storage_result result = open_known_file(path, &source, &version);

    *storage = NULL;
    if (result != STORAGE_OK) {
        return file_check_close(source, result, why);
    }
    result = storage_open_copy_of(source, storage, why);
    storage_close(source);
    return result;
}

/* == Copies between SQLite and PostgreSQL == */

#define NAME_SIZE 64
#define TABLES_MAX 128
#define COLUMNS_MAX 40
#define SHOWN_KEY_SIZE 64 /* leaves room in STORAGE_WHY_SIZE for the names of table and column */
#define PROGRESS_ROWS 8192

/* A table that both databases have. Its columns are described in SQLite's order. */
struct copy_table {
    char name[NAME_SIZE];
    char columns[COLUMNS_MAX * NAME_SIZE]; /* their names, as a statement lists them */
    char places[3 * COLUMNS_MAX];          /* a question mark for each */
    char types[COLUMNS_MAX + 1];           /* first letter of SQLite's type of each */
    char keys[COLUMNS_MAX + 1];            /* 1 for each of the primary key, 0 for each other */
    char order[COLUMNS_MAX * NAME_SIZE];   /* the primary key; without one, all columns */
    int64_t rows;                          /* that were copied */
};

struct copy {
    struct storage *sqlite, *postgres;
    struct storage *from, *to; /* of these two */
    storage_copy_report *report;
    void *context;
    char *why;
    struct copy_table *table; /* the one that is being worked on; NULL: none */
    char *references;         /* statements, one a line, that add PostgreSQL's foreign keys again */
    size_t table_count;
    struct copy_table tables[TABLES_MAX];
};

/* Runs a statement (printf) of either database that is used only once. */
__attribute__((format(printf, 2, 3))) MUST_CHECK static enum storage_result
run(struct storage *storage, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        abort(); /* out of memory */
    }
    va_end(arguments);
    struct sql q = sql_write_once(storage, text);
    sql_run_and_reset(&q);
    const enum storage_result result = sql_end_once(&q);
    free(text);
    return result;
}

static void report_rows(const struct copy *copy, enum storage_copy_stage stage, int64_t rows)
{
    if (copy->report != NULL && (stage == STORAGE_COPY_EQUAL || rows % PROGRESS_ROWS == 0)) {
        copy->report(copy->context,
                     &(const struct storage_copy_progress){stage, copy->table->name, rows});
    }
}

/* Does the same with each table. */
static enum storage_result each_table(struct copy *copy, enum storage_result (*act)(struct copy *))
{
    enum storage_result result = STORAGE_OK;
    for (size_t i = 0; result == STORAGE_OK && i < copy->table_count; i++) {
        copy->table = &copy->tables[i];
        result = act(copy);
    }
    copy->table = result == STORAGE_OK ? NULL : copy->table;
    return result;
}

/* PostgreSQL's columns of a table. */
#define FROM_COLUMNS                                                                               \
    " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relname = ?1"              \
    " AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped"                                 \
    " AND c.relnamespace = current_schema()::regnamespace"

/* Refuses a column that PostgreSQL does not have with the same type. */
static enum storage_result match_column(const struct copy *copy, const char *table,
                                        const char *column, char type)
{
    char found = '\0';
    struct sql *q =
        SQL_READ(copy->postgres,
                 "SELECT CASE format_type(a.atttypid, a.atttypmod) WHEN 'bigint'"
                 " THEN 'I' WHEN 'double precision' THEN 'R' WHEN 'text' THEN 'T'"
                 " WHEN 'bytea' THEN 'B' ELSE '-' END" FROM_COLUMNS " AND a.attname = ?2",
                 SQL_TEXT(table, NAME_SIZE), SQL_TEXT(column, NAME_SIZE));

    if (sql_next_row(q)) {
        found = sql_borrow_text(q)[0];
    }
    RETURN_FAILURE(sql_end(q));
    if (found != type) {
        return storage_fail(copy->why, STORAGE_REFUSED, "table %s, column %s: PostgreSQL %s", table,
                            column,
                            found == '\0' ? "does not have it" : "has it with another type");
    }
    return STORAGE_OK;
}

/* Refuses a table whose columns PostgreSQL does not have. One that PostgreSQL lacks must be empty,
 * and is left out: sets *is_there to false. */
static enum storage_result match_table(const struct copy *copy, const struct copy_table *table,
                                       bool *is_there)
{
    int64_t columns = 0;
    enum storage_result result = statement_read_number(
        SQL_READ(copy->postgres, "SELECT count(*)" FROM_COLUMNS, SQL_TEXT(table->name, NAME_SIZE)),
        &columns);

    *is_there = columns > 0;
    if (result != STORAGE_OK || columns == 0) {
        return result;
    }
    struct sql *q =
        SQL_READ(copy->sqlite, "SELECT name, substr(type, 1, 1) FROM pragma_table_info(?)",
                 SQL_TEXT(table->name, NAME_SIZE));
    while (result == STORAGE_OK && sql_next_row(q)) {
        const char *column = sql_borrow_text(q);
        result = match_column(copy, table->name, column, sql_borrow_text(q)[0]);
    }
    const enum storage_result ended = sql_end(q);
    if (result == STORAGE_OK && (size_t)columns != strlen(table->types)) {
        return storage_fail(copy->why, STORAGE_REFUSED, "table %s: PostgreSQL has more columns",
                            table->name);
    }
    return result != STORAGE_OK ? result : ended;
}

/* Reads SQLite's columns of a table. */
static enum storage_result read_columns(struct storage *sqlite, struct copy_table *table)
{
    struct sql *q =
        SQL_READ(sqlite,
                 "SELECT group_concat('\"' || name || '\"', ', '), group_concat('?', ', '),"
                 " group_concat(substr(type, 1, 1), ''), group_concat(pk > 0, ''),"
                 " coalesce((SELECT group_concat('\"' || name || '\"', ', ') FROM (SELECT name"
                 " FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk)),"
                 " group_concat(cid + 1, ', '))"
                 " FROM (SELECT * FROM pragma_table_info(?1) ORDER BY cid)",
                 SQL_TEXT(table->name, NAME_SIZE));

    if (sql_first_row(q)) {
        sql_read_text(q, table->columns, sizeof table->columns);
        sql_read_text(q, table->places, sizeof table->places);
        sql_read_text(q, table->types, sizeof table->types);
        sql_read_text(q, table->keys, sizeof table->keys);
        sql_read_text(q, table->order, sizeof table->order);
    }
    return sql_end(q);
}

static enum storage_result require_no_rows(struct copy *copy, const struct copy_table *table)
{
    char query[NAME_SIZE + 64];
    int64_t has_rows = 0;

    (void)snprintf(query, sizeof query, "SELECT EXISTS (SELECT 1 FROM \"%s\")", table->name);
    RETURN_FAILURE(sql_read_number(copy->sqlite, query, &has_rows));
    return has_rows == 0 ? STORAGE_OK
                         : storage_fail(copy->why, STORAGE_REFUSED,
                                        "table %s: it has rows, but PostgreSQL does not have it",
                                        table->name);
}

/* Lists the tables. SQLite's schema says what is copied; a table that only PostgreSQL has stays
 * out. */
static enum storage_result find_tables(struct copy *copy)
{
    enum storage_result result = STORAGE_OK;
    struct sql q = sql_read(copy->sqlite, "SELECT name FROM sqlite_schema WHERE type = 'table'"
                                          " AND name NOT LIKE 'sqlite%' ORDER BY name");

    while (result == STORAGE_OK && sql_next_row(&q)) {
        assert(copy->table_count < TABLES_MAX);
        struct copy_table *table = &copy->tables[copy->table_count];
        bool is_there = false;
        sql_read_text(&q, table->name, sizeof table->name);
        result = read_columns(copy->sqlite, table);
        if (result == STORAGE_OK) {
            result = match_table(copy, table, &is_there);
        }
        if (result == STORAGE_OK && !is_there) {
            result = require_no_rows(copy, table);
        }
        copy->table_count += is_there;
    }
    const enum storage_result ended = sql_end(&q);
    return result != STORAGE_OK ? result : ended;
}

/* The rows of a table in the order of its key. PostgreSQL's come in batches, since an answer of its
 * server is held in memory. */
struct rows {
    struct storage *storage;
    struct sql q;
    char *query;
    size_t in_batch; /* rows of the present batch so far */
};

#define NEXT_BATCH "FETCH 4096 FROM copied"

static struct rows begin_rows(struct storage *storage, const struct copy_table *table)
{
    struct rows rows = {.storage = storage};

    if (asprintf(&rows.query, "SELECT %s FROM \"%s\" ORDER BY %s", table->columns, table->name,
                 table->order) < 0) {
        abort(); /* out of memory */
    }
    if (storage->postgres == NULL) {
        rows.q = sql_read_once(storage, rows.query);
        return rows;
    }
    const enum storage_result declared =
        run(storage, "DECLARE copied NO SCROLL CURSOR FOR %s", rows.query);
    rows.q = declared == STORAGE_OK ? sql_read_once(storage, NEXT_BATCH)
                                    : (struct sql){.storage = storage, .result = declared};
    return rows;
}

static bool next_row(struct rows *rows)
{
    while (!sql_next_row(&rows->q)) {
        if (rows->in_batch == 0 || rows->storage->postgres == NULL ||
            sql_end_once(&rows->q) != STORAGE_OK) {
            return false;
        }
        rows->q = sql_read_once(rows->storage, NEXT_BATCH);
        rows->in_batch = 0;
    }
    rows->in_batch++;
    return true;
}

static enum storage_result end_rows(struct rows *rows)
{
    const enum storage_result result = sql_end_once(&rows->q);

    free(rows->query);
    return result == STORAGE_OK && rows->storage->postgres != NULL
               ? run(rows->storage, "CLOSE copied")
               : result;
}

/* Describes what is wrong with the present row, which is named by its primary key: "table ratings,
 * row with account 5, game whist: …". */
static enum storage_result fail_at_row(const struct copy *copy, struct sql *q,
                                       enum storage_result result, const char *what)
{
    char key[SHOWN_KEY_SIZE] = "";
    size_t len = 0;

    for (q->column = 0; copy->table->keys[q->column] != '\0' && len < sizeof key;) {
        const bool is_key = copy->table->keys[q->column] == '1';
        const char *name = sql_column_name(q);
        const char *value = sql_borrow_text(q);
        if (is_key) {
            len += (size_t)snprintf(key + len, sizeof key - len, "%s%s %.40s", len == 0 ? "" : ", ",
                                    name, value);
        }
    }
    for (char *at = key; *at != '\0'; at++) {
        *at = (char)(iscntrl((unsigned char)*at) ? '?' : *at);
    }
    return storage_fail(copy->why, result, "table %s, row with %s: %s", copy->table->name, key,
                        what);
}

/* Copies all rows of the table. */
static enum storage_result copy_rows(struct copy *copy)
{
    struct copy_table *table = copy->table;
    struct rows rows = begin_rows(copy->from, table);
    char *insertion = NULL;

    if (asprintf(&insertion, "INSERT INTO \"%s\" (%s) VALUES (%s)", table->name, table->columns,
                 table->places) < 0) {
        abort(); /* out of memory */
    }
    struct sql q = sql_write_once(copy->to, insertion);
    while (q.result == STORAGE_OK && next_row(&rows)) {
        for (const char *type = table->types; *type != '\0'; type++) {
            struct sql_value value = sql_read_value(&rows.q);
            const bool is_null = value.kind == SQL_KIND_NULL; /* of the type of its column */
            value.kind = is_null && *type == 'T'   ? SQL_KIND_TEXT
                         : is_null && *type == 'B' ? SQL_KIND_BYTES
                                                   : value.kind;
            sql_bind_value(&q, &value);
        }
        if (q.result != STORAGE_OK) {
            (void)fail_at_row(copy, &rows.q, q.result, copy->to->why);
        }
        sql_defer_and_reset(&q);
        report_rows(copy, STORAGE_COPY_SENDING, ++table->rows);
    }
    /* waits for the insertions that were deferred, which the statement must outlive */
    const enum storage_result waited = sql_read_number(copy->to, "SELECT 1", &(int64_t){0});
    enum storage_result result = sql_end_once(&q);
    result = result != STORAGE_OK ? result : waited;
    const enum storage_result ended = end_rows(&rows);
    free(insertion);
    return result != STORAGE_OK ? result : ended;
}

static bool is_same_value(const struct sql_value *a, const struct sql_value *b)
{
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*): copied to the bit */
    bool is_same_real = memcmp(&a->real, &b->real, sizeof a->real) == 0;
    return a->kind == b->kind && a->number == b->number && is_same_real && a->len == b->len &&
           (a->len == 0 || memcmp(a->bytes, b->bytes, a->len) == 0);
}

/* Compares PostgreSQL's row with the next one of SQLite. */
static enum storage_result compare_row(const struct copy *copy, struct rows *ours,
                                       struct rows *theirs)
{
    char what[NAME_SIZE + 64];

    if (!next_row(ours)) {
        return storage_fail(copy->why, STORAGE_CORRUPT, "table %s: PostgreSQL has more rows",
                            copy->table->name);
    }
    for (const char *key = copy->table->keys; *key != '\0'; key++) {
        const char *column = sql_column_name(&ours->q);
        const struct sql_value here = sql_read_value(&ours->q);
        const struct sql_value there = sql_read_value(&theirs->q);
        if (!is_same_value(&here, &there)) {
            (void)snprintf(what, sizeof what, "PostgreSQL has another %s%s",
                           *key == '1' ? "row in its place" : "value in the column ",
                           *key == '1' ? "" : column);
            return fail_at_row(copy, &ours->q, STORAGE_CORRUPT, what);
        }
    }
    return STORAGE_OK;
}

/* Compares all rows of the table. */
static enum storage_result compare_rows(struct copy *copy)
{
    struct rows ours = begin_rows(copy->sqlite, copy->table);
    struct rows theirs = begin_rows(copy->postgres, copy->table);
    enum storage_result result = STORAGE_OK;

    for (int64_t rows = 1; result == STORAGE_OK && next_row(&theirs); rows++) {
        result = compare_row(copy, &ours, &theirs);
        report_rows(copy, STORAGE_COPY_COMPARING, rows);
    }
    if (result == STORAGE_OK && theirs.q.result == STORAGE_OK && next_row(&ours)) {
        result = fail_at_row(copy, &ours.q, STORAGE_CORRUPT, "PostgreSQL does not have it");
    }
    const enum storage_result ended = end_rows(&ours);
    const enum storage_result other_ended = end_rows(&theirs);
    if (ended != STORAGE_OK || other_ended != STORAGE_OK) {
        copy->why[0] = '\0'; /* the database says what failed */
        return ended != STORAGE_OK ? ended : other_ended;
    }
    if (result == STORAGE_OK) {
        report_rows(copy, STORAGE_COPY_EQUAL, copy->table->rows);
    }
    return result;
}

/* Ends the connection to PostgreSQL, which rolls back what was not committed, and describes the
 * failure of a database. */
static enum storage_result end_copy(struct copy *copy, enum storage_result result)
{
    if (result != STORAGE_OK && copy->why[0] == '\0') {
        const bool is_theirs = copy->postgres->why[0] != '\0';
        (void)snprintf(
            copy->why, STORAGE_WHY_SIZE, "%s%s%s%.180s", copy->table == NULL ? "" : "table ",
            copy->table == NULL ? "" : copy->table->name, copy->table == NULL ? "" : ": ",
            (is_theirs ? copy->postgres : copy->sqlite)->why);
    }
    storage_close(copy->postgres);
    free(copy->references);
    free(copy);
    return result;
}

static struct copy *new_copy(storage_copy_report *report, void *context, char why[STORAGE_WHY_SIZE])
{
    struct copy *copy = calloc(1, sizeof *copy);

    if (copy == NULL) {
        abort(); /* out of memory */
    }
    copy->report = report;
    copy->context = context;
    copy->why = why;
    why[0] = '\0';
    return copy;
}

/* The columns that PostgreSQL numbers itself. */
#define NUMBERED_COLUMNS                                                                           \
    "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"        \
    " WHERE a.attidentity <> '' AND c.relkind = 'r'"                                               \
    " AND c.relnamespace = current_schema()::regnamespace"

/* == From PostgreSQL == */

/* Refuses a database that another version of the program has made: it cannot be changed here. */
static enum storage_result check_version(const struct copy *copy)
{
    int64_t version = 0;

    RETURN_FAILURE(migrate_postgres_read_version(copy->postgres, &version));
    if (version == (int64_t)storage_schema_version()) {
        return STORAGE_OK;
    }
    return version == 0 ? storage_fail(copy->why, STORAGE_FOREIGN,
                                       "the database does not hold the data of a house")
                        : storage_fail(copy->why, STORAGE_REFUSED,
                                       "another version of the program has made the tables of the"
                                       " database: use that one, or open the house with this one");
}

/* Lets a table whose rows SQLite numbers go on after the highest number that PostgreSQL has ever
 * given. */
static enum storage_result set_next_number_in_file(const struct copy *copy, const char *table,
                                                   const char *column)
{
    int64_t highest = 0; /* no number was given yet */

    RETURN_FAILURE(statement_read_number(
        SQL_READ(copy->postgres,
                 "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(?), ?)"
                 "::regclass), 0)",
                 SQL_TEXT(table, NAME_SIZE), SQL_TEXT(column, NAME_SIZE)),
        &highest));
    RETURN_FAILURE(sql_run(SQL_WRITE(copy->sqlite, "DELETE FROM sqlite_sequence WHERE name = ?",
                                     SQL_TEXT(table, NAME_SIZE))));
    return sql_run(SQL_WRITE(copy->sqlite,
                             "INSERT INTO sqlite_sequence (name, seq) SELECT name, ?2 FROM"
                             " sqlite_schema WHERE type = 'table' AND name = ?1"
                             " AND sql LIKE '%AUTOINCREMENT%'",
                             SQL_TEXT(table, NAME_SIZE), SQL_INT(highest)));
}

/* Lets a column that PostgreSQL numbers itself go on after the highest number. Rows with higher
 * numbers than the present ones may have been deleted, and no number is given twice; SQLite may
 * have kept no count. */
static enum storage_result set_next_number_in_postgres(const struct copy *copy, const char *table,
                                                       const char *column)
{
    int64_t highest = 0;

    RETURN_FAILURE(statement_read_number_or(
        SQL_READ(copy->sqlite, "SELECT seq FROM sqlite_sequence WHERE name = ?",
                 SQL_TEXT(table, NAME_SIZE)),
        0, &highest));
    return run(copy->postgres,
               "SELECT setval(pg_get_serial_sequence('\"%s\"', '%s'), greatest(n, 1), n > 0) FROM"
               " (SELECT greatest(max(\"%s\"), %" PRId64 ") AS n FROM \"%s\") AS highest",
               table, column, column, highest, table);
}

static enum storage_result set_next_numbers(const struct copy *copy,
                                            enum storage_result (*set)(const struct copy *copy,
                                                                       const char *table,
                                                                       const char *column))
{
    enum storage_result result = STORAGE_OK;
    struct sql q = sql_read(copy->postgres, NUMBERED_COLUMNS);

    while (result == STORAGE_OK && sql_next_row(&q)) {
        const char *table = sql_borrow_text(&q);
        result = set(copy, table, sql_borrow_text(&q));
    }
    const enum storage_result ended = sql_end(&q);
    return result != STORAGE_OK ? result : ended;
}

/* Copies everything in one transaction of each database. */
static enum storage_result receive_all(struct copy *copy)
{
    RETURN_FAILURE(sql_run_script(copy->postgres, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;"
                                                  " SET LOCAL lock_timeout = '10s'"));
    RETURN_FAILURE(check_version(copy));
    RETURN_FAILURE(find_tables(copy));
    RETURN_FAILURE(sql_run_script(copy->sqlite, "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE"));
    RETURN_FAILURE(each_table(copy, copy_rows));
    RETURN_FAILURE(each_table(copy, compare_rows));
    RETURN_FAILURE(
        sql_run_script(copy->sqlite, "DELETE FROM meta WHERE name = '" MIGRATE_VERSION_ROW "'"));
    RETURN_FAILURE(set_next_numbers(copy, set_next_number_in_file));
    RETURN_FAILURE(check_foreign_keys(copy->sqlite));
    return storage_commit(copy->sqlite);
}

/* Removes what a failed copy has left of its file. */
static void remove_file(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char file[4096];

    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        (void)snprintf(file, sizeof file, "%s%s", path, ends[i]);
        (void)unlink(file); /* the failure of the copy is what matters */
    }
}

enum storage_result storage_copy_from_postgres(const char *url, const char *path,
                                               storage_copy_report *report, void *context,
                                               char why[STORAGE_WHY_SIZE])
{
    struct copy *copy = new_copy(report, context, why);
    const bool is_taken = access(path, F_OK) == 0;
    enum storage_result result =
        is_taken ? storage_fail(why, STORAGE_TAKEN, "there is a file of this name already")
                 : sql_postgres_open(url, &copy->postgres, why);

    if (result == STORAGE_OK) {
        result = storage_open(path, &copy->sqlite, why);
    }
    copy->from = copy->postgres;
    copy->to = copy->sqlite;
    if (result == STORAGE_OK) {
        result = receive_all(copy);
    }
    struct storage *sqlite = copy->sqlite;
    result = end_copy(copy, result);
    storage_close(sqlite);
    if (sqlite != NULL && result != STORAGE_OK) {
        remove_file(path);
    }
    return result;
}

/* == To PostgreSQL == */

/* Makes the tables, if the database has none, in a transaction of its own. */
static enum storage_result make_tables(const char *url, char why[STORAGE_WHY_SIZE])
{
    struct storage *made = NULL;
    const enum storage_result result = storage_open(url, &made, why);

    storage_close(made);
    return result;
}

/* Lets nobody else use the table while the copy runs. */
static enum storage_result lock_table(struct copy *copy)
{
    return run(copy->postgres, "LOCK TABLE \"%s\" IN ACCESS EXCLUSIVE MODE", copy->table->name);
}

/* Refuses a table with rows, except the row that tells the schema of the database. */
static enum storage_result check_emptiness(struct copy *copy)
{
    const char *table = copy->table->name;
    char query[2 * NAME_SIZE + 128];
    int64_t rows = 0;

    (void)snprintf(query, sizeof query,
                   "SELECT count(*) FROM (SELECT 1 FROM \"%s\"%s LIMIT 1) AS f", table,
                   strcmp(table, "meta") == 0 ? " WHERE name <> '" MIGRATE_VERSION_ROW "'" : "");
    RETURN_FAILURE(sql_read_number(copy->postgres, query, &rows));
    return rows == 0
               ? STORAGE_OK
               : storage_fail(copy->why, STORAGE_REFUSED,
                              "the database has a house already: its table %s is not empty", table);
}

/* Takes the foreign keys away, so that rows can come in any order. Added again, each is checked for
 * all rows at once, which is also faster. */
static enum storage_result take_references_away(struct copy *copy)
{
    enum storage_result result = STORAGE_OK;
    size_t size = 0;
    FILE *add = open_memstream(&copy->references, &size);
    struct sql q =
        sql_read(copy->postgres,
                 "SELECT concat('ALTER TABLE ', conrelid::regclass, ' DROP CONSTRAINT ',"
                 " quote_ident(conname)), concat('ALTER TABLE ', conrelid::regclass,"
                 " ' ADD CONSTRAINT ', quote_ident(conname), ' ', pg_get_constraintdef(oid))"
                 " FROM pg_constraint WHERE contype = 'f' AND connamespace ="
                 " current_schema()::regnamespace ORDER BY conrelid::regclass::text, conname");

    if (add == NULL) {
        abort(); /* out of memory */
    }
    while (result == STORAGE_OK && sql_next_row(&q)) {
        result = run(copy->postgres, "%s", sql_borrow_text(&q));
        fprintf(add, "%s\n", sql_borrow_text(&q));
    }
    const enum storage_result ended = sql_end(&q);
    if (fclose(add) != 0) {
        abort(); /* out of memory */
    }
    return result != STORAGE_OK ? result : ended;
}

static enum storage_result put_references_back(const struct copy *copy)
{
    char *rest = copy->references;
    enum storage_result result = STORAGE_OK;
    char *line = strsep(&rest, "\n");

    while (result == STORAGE_OK && rest != NULL) {
        result = run(copy->postgres, "%s", line);
        line = strsep(&rest, "\n");
    }
    return result;
}

/* Gives SQLite's copy the row that tells PostgreSQL's schema, in a transaction that is rolled back,
 * and takes it away from PostgreSQL: so both have the same rows. */
static enum storage_result move_schema_row(const struct copy *copy)
{
    RETURN_FAILURE(run(copy->postgres, "DELETE FROM meta"));
    return run(copy->sqlite,
               "INSERT INTO meta (name, value) VALUES ('" MIGRATE_VERSION_ROW "', '%zu')",
               storage_schema_version());
}

static enum storage_result send_rows_without_references(struct copy *copy)
{
    RETURN_FAILURE(take_references_away(copy));
    RETURN_FAILURE(each_table(copy, copy_rows));
    return put_references_back(copy);
}

static enum storage_result send_all(struct copy *copy)
{
    /* the commit must be durable, whatever the database's own setting is */
    RETURN_FAILURE(sql_run_script(copy->postgres, "BEGIN; SET LOCAL lock_timeout = '10s';"
                                                  " SET LOCAL synchronous_commit = on"));
    RETURN_FAILURE(find_tables(copy));
    RETURN_FAILURE(each_table(copy, lock_table));
    RETURN_FAILURE(each_table(copy, check_emptiness));
    RETURN_FAILURE(move_schema_row(copy));
    RETURN_FAILURE(send_rows_without_references(copy));
    RETURN_FAILURE(set_next_numbers(copy, set_next_number_in_postgres));
    RETURN_FAILURE(each_table(copy, compare_rows));
    /* Without it PostgreSQL would not know how many rows there are, and would run the first
     * statements in slow ways. */
    RETURN_FAILURE(run(copy->postgres, "ANALYZE"));
    return sql_run_script(copy->postgres, "COMMIT");
}

enum storage_result storage_copy_to_postgres(struct storage *from, const char *url,
                                             storage_copy_report *report, void *context,
                                             char why[STORAGE_WHY_SIZE])
{
    struct copy *copy = new_copy(report, context, why);
    enum storage_result result = sql_postgres_open(url, &copy->postgres, why);

    copy->sqlite = from;
    copy->from = from;
    copy->to = copy->postgres;
    if (result == STORAGE_OK) {
        result = make_tables(url, why);
    }
    if (result == STORAGE_OK) {
        result = send_all(copy);
    }
    result = end_copy(copy, result);
    storage_rollback(from);
    return result;
}
