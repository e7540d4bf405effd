#pragma once

#include "games/macros.h"
#include "storage/storage.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Inside storage/sql/ only: the database that runs the statements of sql.h. An engine is told each
 * failure of the database only once: it translates the failure, keeps its description in
 * storage->why, rolls the transaction back if the failure affects all of it, and returns the
 * result for callers.
 */
struct sql_statement; /* a compiled statement; each engine has its own */

/* What a step of a statement brought. */
enum sql_step {
    SQL_STEP_ROW,    /* a row, to be read with read_… */
    SQL_STEP_DONE,   /* the statement has run to its end */
    SQL_STEP_FAILED, /* *result says how */
};

/* What an argument of a statement or a column of a row holds. */
enum sql_kind {
    SQL_KIND_NULL,
    SQL_KIND_INT,
    SQL_KIND_REAL,
    SQL_KIND_TEXT,
    SQL_KIND_BYTES,
    SQL_KIND_END, /* no value: ends a list of arguments */
};

struct sql_value {
    enum sql_kind kind;
    int64_t number;
    double real;
    const void *bytes; /* of a text, which a NUL follows, or of bytes; an argument may be NULL */
    size_t len;        /* of the bytes, without the NUL */
    size_t size;       /* of the place of a text, which its NUL must fit; 0: it has none */
};

struct sql_engine {
    /* Compiles a text, which is a constant. A write runs only in a transaction. The statement lives
     * until forget. */
    enum storage_result (*compile)(struct storage *storage, const char *text, bool is_write,
                                   struct sql_statement **statement);
    void (*forget)(struct sql_statement *statement);
    /* True between the first step and `reset`. */
    bool (*is_running)(struct sql_statement *statement);

    /* Binds the argument at a place from 1 on. Its bytes are borrowed until `reset`. */
    enum storage_result (*bind)(struct storage *storage, struct sql_statement *statement, int place,
                                const struct sql_value *value);

    /* Runs a write as sql_run_deferred says. NULL: it is run like any other write. */
    enum storage_result (*defer)(struct storage *storage, struct sql_statement *statement);
    /* Once a statement has run to its end, sets the storage's last_id and changes. After
     * SQL_STEP_FAILED the statement is reset already. */
    enum sql_step (*step)(struct storage *storage, struct sql_statement *statement,
                          enum storage_result *result);
    /* Ends a run, so that the statement can be run again. */
    void (*reset)(struct sql_statement *statement);

    /* Describe the result and a column, from 0 on, of the present row. Names are borrowed. */
    int (*count_columns)(struct sql_statement *statement);
    const char *(*column_name)(struct sql_statement *statement, int column);

    /* Read a column, from 0 on, of the present row, as what it holds or as a text. What is borrowed
     * is valid until the next step. */
    void (*read)(struct sql_statement *statement, int column, struct sql_value *value);
    const char *(*borrow_text)(struct sql_statement *statement, int column);

    /* The statement that begins a transaction, and whether one is open. */
    const char *begin;
    bool (*is_in_transaction)(const struct storage *storage);
    /* Rolls the open transaction back. After a failure it may still be open. */
    void (*roll_back)(struct storage *storage);

    /* A statement that stores 256 KiB in the row "room" of the table meta. */
    const char *take_room;

    /* Runs statements that are used only once. */
    enum storage_result (*run_script)(struct storage *storage, const char *text);

    /* Do what storage_read_ahead_begin and _end say. Both are NULL if a read needs no round trip.
     */
    void (*read_ahead_begin)(struct storage *storage);
    enum storage_result (*read_ahead_end)(struct storage *storage);

    /* Called in each open transaction just before its commit; a failure fails the commit. NULL:
     * nothing is to be done. */
    enum storage_result (*before_commit)(struct storage *storage);

    /* Do what storage_settle and storage_sockets say, for an engine whose commits become durable
     * later. Both are NULL if every commit is durable at once. */
    enum storage_result (*settle)(struct storage *storage, uint64_t *durable);
    size_t (*sockets)(const struct storage *storage, int sockets[STORAGE_SOCKETS_MAX]);
};

extern const struct sql_engine sql_sqlite;

/*
 * Inside storage/ only: runs one SQL statement, from its text to its result. Statements are
 * compiled once and kept, found by the address of their text, which must therefore be a constant.
 * Arguments are bound and columns are read in order:
 *
 *     struct sql q = sql_read(storage, "SELECT name FROM accounts WHERE id = ?");
 *     sql_bind_int(&q, id);
 *     if (sql_first_row(&q)) {
 *         sql_read_text(&q, name, sizeof name);
 *     }
 *     return sql_end(&q);
 *
 * After a failure the other calls do nothing, and sql_end returns the first failure.
 */
struct sql {
    struct storage *storage;
    const char *text;
    struct sql_statement *statement;
    int bound;
    int column;
    enum storage_result result;
};

/* slots for statements: twice their number, so that looking one up stays fast */
#define SQL_SLOTS 512

#define STORAGE_PAGE_BYTES 4096

#define NEXT_STEPS 2048 /* more than there are games in play */

struct postgres;
struct cluster;

struct storage {
    const struct sql_engine *engine;
    sqlite3 *db;                /* NULL with another engine than SQLite */
    struct postgres *postgres;  /* NULL with another engine than PostgreSQL */
    struct cluster *cluster;    /* borrowed; NULL: no other node uses the data */
    sqlite3 *filled_from;       /* the database to copy when opening, borrowed; NULL: none */
    const char *disk;           /* name of the VFS, borrowed while opening; NULL: the default VFS */
    enum storage_result failed; /* the failure that blocks writes: see storage_commit */
    int64_t last_id;            /* number of the row that was inserted last */
    int64_t changes;            /* number of rows that the last statement has changed */
    uint64_t turn;              /* see storage_last_turn */
    uint64_t round_trips;       /* how often PostgreSQL's answers were waited for */
    int log_pages; /* number of pages in the write-ahead log since the last checkpoint */
    int log_idle_pages, log_most_pages; /* sizes of the log in pages: see storage_set_log_limits */
    bool empty_log_when_idle;           /* see storage_empty_log_when_idle */
    struct {
        int64_t game; /* 0: none */
        uint32_t step;
    } next_steps[NEXT_STEPS]; /* the next step of games with recent moves (archive/games.c) */
    char why[STORAGE_WHY_SIZE];
    struct {
        const char *text;
        struct sql_statement *statement;
    } slots[SQL_SLOTS];
};

/* sql_read and sql_write start a statement. sql_write also begins a transaction if there is
 * none. */
struct sql sql_read(struct storage *storage, const char *query);
struct sql sql_write(struct storage *storage, const char *statement);

/* Start a statement whose text need not be a constant: it is compiled for this one time. End it
 * with sql_end_once instead of sql_end. */
struct sql sql_read_once(struct storage *storage, const char *query);
struct sql sql_write_once(struct storage *storage, const char *statement);
enum storage_result sql_end_once(struct sql *q) MUST_CHECK;

/* Texts and bytes are borrowed until sql_end. sql_bind_text refuses a text that does not fit `size`
 * bytes with its NUL; sql_bind_id binds NULL for 0. */
void sql_bind_int(struct sql *q, int64_t value);
void sql_bind_id(struct sql *q, int64_t id);
void sql_bind_real(struct sql *q, double value);
void sql_bind_text(struct sql *q, const char *text, size_t size);
void sql_bind_bytes(struct sql *q, const void *bytes, size_t len);
void sql_bind_value(struct sql *q, const struct sql_value *value);

/* Goes to the next row of the result; false when there is none. */
bool sql_next_row(struct sql *q);

/* Goes to the first row; true when there is one. If there is no row and no failure, the result of
 * sql_end is STORAGE_NOT_FOUND. */
bool sql_first_row(struct sql *q);

/* Each function reads the next column; sql_read_value reads what it holds. Elsewhere NULL reads as
 * 0 and "". A value that does not fit means a damaged file. */
struct sql_value sql_read_value(struct sql *q);
int64_t sql_read_int(struct sql *q);
/* Reads a number from 0 to `highest`; any other number reads as 0. For an enum, `highest` is the
 * constant …_LAST. */
unsigned sql_read_enum(struct sql *q, unsigned highest);
double sql_read_real(struct sql *q);
/* Copies a text. '?' stands for each byte that is no UTF-8. */
void sql_read_text(struct sql *q, char *text, size_t size);
void sql_read_bytes(struct sql *q, void *bytes, size_t len);
const char *sql_borrow_text(struct sql *q); /* the text is valid until the next row or sql_end */
const void *sql_borrow_bytes(struct sql *q,
                             size_t *len); /* like sql_borrow_text; NULL for no bytes */

/* The name that the statement gives the next column, borrowed until sql_end. */
const char *sql_column_name(const struct sql *q);
/* The number of columns of the statement's rows. */
int sql_column_count(const struct sql *q);

/* Ends the statement and returns its first failure. */
enum storage_result sql_end(struct sql *q) MUST_CHECK;

/* Runs an insertion or change with the arguments bound so far, and resets it: other arguments can
 * then be bound. */
void sql_run_and_reset(struct sql *q);

/* Runs a statement whose rows are not needed, and ends the statement. */
enum storage_result sql_run(struct sql *q) MUST_CHECK;

/*
 * Like sql_run and sql_run_and_reset, for writes that fail only if the program or the database
 * does. PostgreSQL runs such a write together with the next statement that waits for a result, or
 * with the commit, in one round trip. If the write fails then, that statement or the commit fails
 * with STORAGE_IO or STORAGE_FULL.
 */
enum storage_result sql_run_deferred(struct sql *q) MUST_CHECK;
void sql_defer_and_reset(struct sql *q);

/* Runs and ends an insertion of one row; sets *id to the row's number. */
enum storage_result sql_run_insertion(struct sql *q, int64_t *id) MUST_CHECK;

/* Runs and ends a statement that changes rows; STORAGE_NOT_FOUND when no row was changed. */
enum storage_result sql_run_change(struct sql *q) MUST_CHECK;

/* Runs and ends a statement that changes rows; sets *changed to their number. */
enum storage_result sql_run_and_count(struct sql *q, int64_t *changed) MUST_CHECK;

/* sql_savepoint_begin and sql_savepoint_end enclose several writes that belong together.
 * sql_savepoint_end undoes all of them when `result` is a failure, and returns `result` or its own
 * failure. */
enum storage_result sql_savepoint_begin(struct storage *storage) MUST_CHECK;
enum storage_result sql_savepoint_end(struct storage *storage,
                                      enum storage_result result) MUST_CHECK;

/* Runs SQL statements that are used only once. */
enum storage_result sql_run_script(struct storage *storage, const char *text) MUST_CHECK;

/* Reads a single number with an SQL query; 0 when there is no row. */
enum storage_result sql_read_number(struct storage *storage, const char *text,
                                    int64_t *value) MUST_CHECK;

void sql_finalize_all(struct storage *storage);

/*
 * One list of columns describes a stored row. The list gives the row's struct its members
 * (STORAGE_MEMBERS, below). It also gives SQL statements their column names and placeholders, and
 * makes the functions that bind and read the columns (storage/sql/sql.h).
 *
 *     #define STORAGE_VISIT_COLUMNS(FIRST, NEXT)
 *         FIRST(NUMBER, id)
 *         NEXT(TEXT(STORAGE_NAME_SIZE), name)
 *         NEXT(LINK, table, table_id)
 *
 *     struct storage_visit {
 *         STORAGE_MEMBERS(STORAGE_VISIT_COLUMNS)
 *     };
 *
 * FIRST stands before the first column, NEXT before every other column, because SQL wants commas
 * between columns. Both take the column's kind, its member of the struct, and the column's name if
 * that differs from the member's.
 */

/* For each kind of column: how its value is bound and read; the member's type; the array
 * brackets after the member's name, if any; the highest number of an enum, or the size of a
 * borrowed text. */
#define STORAGE_KIND_NUMBER INTEGER, int64_t, , 0
#define STORAGE_KIND_INT32 INTEGER, int32_t, , 0
#define STORAGE_KIND_UINT32 INTEGER, uint32_t, , 0
#define STORAGE_KIND_UINT16 INTEGER, uint16_t, , 0
#define STORAGE_KIND_UINT8 INTEGER, uint8_t, , 0
#define STORAGE_KIND_FLAG FLAG, bool, , 0
#define STORAGE_KIND_REAL REAL, double, , 0
/* The number of another row; 0 for no row, which is stored as NULL. */
#define STORAGE_KIND_LINK LINK, int64_t, , 0
/* An enum, or a small number. A stored number above `last` is read as 0. */
/* NOLINTNEXTLINE(bugprone-macro-parentheses): the name of an enum cannot be in parentheses */
#define STORAGE_KIND_CHOICE(name, last) CHOICE, enum name, , last
#define STORAGE_KIND_CHOICE8(last) CHOICE, uint8_t, , last
/* An array of `size` bytes: a text with its NUL, or bytes that are stored in full. */
#define STORAGE_KIND_TEXT(size) TEXT, char, [size], 0
#define STORAGE_KIND_BYTES(size) BYTES, uint8_t, [size], 0
/* A text of less than `size` bytes that is not copied: once read, it is valid until the next
 * row. */
#define STORAGE_KIND_BORROWED(size) BORROWED, const char *, , size

/* Calls the macro DO for a column: DO(how, type, after, last, member, column). The first four
 * arguments come from the column's kind. A column without a name has the member's name. */
#define STORAGE_COLUMN(DO, kind, ...)                                                              \
    STORAGE_COLUMN_OF(DO, STORAGE_KIND_##kind, STORAGE_COLUMN_NAMES(__VA_ARGS__, __VA_ARGS__, ))
#define STORAGE_COLUMN_OF(DO, ...) DO(__VA_ARGS__)
#define STORAGE_COLUMN_NAMES(member, column, ...) member, column

#define STORAGE_MEMBERS(LIST) LIST(STORAGE_MEMBER, STORAGE_MEMBER)
#define STORAGE_MEMBER(...) STORAGE_COLUMN(STORAGE_MEMBER_OF, __VA_ARGS__)
#define STORAGE_MEMBER_OF(how, type, after, last, member, column) type member after;

/* The URL of a PostgreSQL database, which stands in the place of the path of a data file. */

#define DATABASE_URL_SHOWN_SIZE 128

/* True if the text is the URL of a PostgreSQL database; false for the path of a file. */
bool database_url_is(const char *path);

/* Returns what may be shown of a path. Of a URL this is the server and the database, written into
 * `shown` and cut to its size: the user, the password and all parameters are left out. The path of
 * a file is returned as it is. */
const char *database_url_show(const char *path, char shown[DATABASE_URL_SHOWN_SIZE]);

/*
 * Inside storage/ only. When a sync fails, the operating system may treat the unwritten pages as if
 * they were on disk (Linux since 4.13 reports such a failure once, then marks the pages clean). The
 * next process would read these pages from the cache and add to them, and a power cut would lose
 * all of it. So a failed sync leaves a mark beside the file. The next process that opens the file
 * rewrites those pages of the log that no successful sync has covered. The mark need not survive a
 * power cut: after a power cut, reads return what the disk has.
 */

/* Creates the mark file of a failed sync. Does not report a failure: a failing disk may have no
 * room for the file. */
void failed_sync_write_mark(struct storage *storage);

/* Call it after opening the database, once SQLite has read the log. If there is a mark of a failed
 * sync, writes the uncertain pages at the end of the log again and removes the mark. Returns an
 * SQLite result code, SQLITE_OK on success. */
int failed_sync_repair(struct storage *storage) MUST_CHECK;

/*
 * Inside storage/ only: writes a statement and its arguments as one expression, and reads the kinds
 * of results that many statements have.
 *
 *     return sql_run(SQL_WRITE(storage, "DELETE FROM keys WHERE account = ? AND fingerprint = ?",
 *                              SQL_INT(account), SQL_TEXT(key, STORAGE_FINGERPRINT_SIZE)));
 */

/* The arguments of a statement. Each is bound as by the function sql_bind_… of the same name;
 * SQL_NONE ends the list. */
#define SQL_INT(value) ((struct sql_value){.kind = SQL_KIND_INT, .number = (value)})
#define SQL_ID(value) sql_value_of_id(value)
#define SQL_REAL(value) ((struct sql_value){.kind = SQL_KIND_REAL, .real = (value)})
#define SQL_TEXT(words, limit) sql_value_of_text(words, limit)
#define SQL_NONE ((struct sql_value){.kind = SQL_KIND_END})

static inline struct sql_value sql_value_of_id(int64_t id)
{
    return (struct sql_value){.kind = id != 0 ? SQL_KIND_INT : SQL_KIND_NULL, .number = id};
}

static inline struct sql_value sql_value_of_text(const char *text, size_t size)
{
    return (struct sql_value){
        .kind = SQL_KIND_TEXT, .bytes = text, .len = strnlen(text, size), .size = size};
}

/* A pointer to a statement whose arguments are bound. It is valid until the end of the block. */
#define SQL_READ(storage, text, ...) SQL_BIND(sql_read(storage, text), __VA_ARGS__)
#define SQL_WRITE(storage, text, ...) SQL_BIND(sql_write(storage, text), __VA_ARGS__)
#define SQL_BIND(statement, ...)                                                                   \
    ((struct sql[]){statement_bind(statement, (const struct sql_value[]){__VA_ARGS__, SQL_NONE})})

/* Writes why a call has failed, as printf does, and returns the result, for callers to return. */
enum storage_result storage_fail(char why[STORAGE_WHY_SIZE], enum storage_result result,
                                 const char *format, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/* Evaluates the expression and returns its result from the function, unless it is STORAGE_OK. */
#define RETURN_FAILURE(expression)                                                                 \
    do {                                                                                           \
        const enum storage_result returned = (expression);                                         \
        if (returned != STORAGE_OK) {                                                              \
            return returned;                                                                       \
        }                                                                                          \
    } while (0)

/* Binds the arguments in order, up to SQL_NONE. */
struct sql statement_bind(struct sql q, const struct sql_value *arguments);

/* Each function reads the only column of the first row and ends the statement. If there is no row,
 * it returns STORAGE_NOT_FOUND and leaves *number unchanged. */
enum storage_result statement_read_number(struct sql *q, int64_t *number) MUST_CHECK;
enum storage_result statement_read_count(struct sql *q, uint32_t *number) MUST_CHECK;

/* The same for a text. */
enum storage_result statement_read_text(struct sql *q, char *text, size_t size) MUST_CHECK;

/* The same for a row with two columns. */
enum storage_result statement_read_numbers(struct sql *q, int64_t *first,
                                           int64_t *second) MUST_CHECK;

/* Reads a number and ends the statement; if there is no row, sets *number to `fallback` and returns
 * STORAGE_OK. */
enum storage_result statement_read_number_or(struct sql *q, int64_t fallback,
                                             int64_t *number) MUST_CHECK;

/* Calls `row` with the only column of every row until it returns false, and ends the statement. */
enum storage_result statement_each_number(struct sql *q, bool (*row)(void *context, int64_t number),
                                          void *context) MUST_CHECK;

/* Sets *is_there to whether the result has a row, and ends the statement. */
enum storage_result statement_has_row(struct sql *q, bool *is_there) MUST_CHECK;

/*
 * Inside storage/ only: makes the SQL statements of a stored row, and the functions that run them,
 * from the row's list of columns.
 *
 *     ROWS(visit, struct storage_visit, STORAGE_VISIT_COLUMNS);
 *
 *     return run_visit(sql_write(storage, ROW_INSERT("visits", STORAGE_VISIT_COLUMNS)), visit);
 *
 *     #define SELECT_VISIT ROW_SELECT("visits", STORAGE_VISIT_COLUMNS)
 *     return read_visit(SQL_READ(storage, SELECT_VISIT " WHERE id = ?", SQL_INT(id)), visit);
 */

/* SQL statements for a row. ROW_INSERT_NEW: the row's first column is a new number. ROW_UPSERT:
 * changes the row with the same key, if any; ROW_SET_ALL is the part of it that changes. */
#define ROW_SELECT(table, LIST) "SELECT " ROW_NAMES(LIST) " FROM " table
#define ROW_INSERT(table, LIST)                                                                    \
    "INSERT INTO " table " (" ROW_NAMES(LIST) ") VALUES (" ROW_PLACES(LIST) ")"
#define ROW_INSERT_NEW(table, LIST)                                                                \
    "INSERT INTO " table " (" ROW_NAMES(LIST) ") VALUES (" ROW_PLACES_NEW(LIST) ")"
#define ROW_UPSERT(table, key, LIST)                                                               \
    ROW_INSERT(table, LIST) " ON CONFLICT (" key ") DO UPDATE SET " ROW_SET_ALL(LIST)
#define ROW_SET_ALL(LIST) LIST(ROW_SET_EXCLUDED, ", " ROW_SET_EXCLUDED)

/* Parts of SQL statements: "id, name, table_id", "?, ?, ?", "NULL, ?, ?", "id = ?, name = ?,
 * table_id = ?". */
#define ROW_NAMES(LIST) LIST(ROW_NAME, ", " ROW_NAME)
#define ROW_PLACES(LIST) LIST(ROW_PLACE, ", " ROW_PLACE)
#define ROW_PLACES_NEW(LIST) LIST("NULL" ROW_SKIP, ", " ROW_PLACE)
#define ROW_SETS(LIST) LIST(ROW_SET, ", " ROW_SET)

#define ROW_SKIP(...)
#define ROW_NAME(...) STORAGE_COLUMN(ROW_NAME_OF, __VA_ARGS__)
#define ROW_PLACE(...) "?"
#define ROW_SET(...) STORAGE_COLUMN(ROW_NAME_OF, __VA_ARGS__) " = ?"
#define ROW_SET_EXCLUDED(...) STORAGE_COLUMN(ROW_SET_EXCLUDED_OF, __VA_ARGS__)
#define ROW_NAME_OF(how, type, after, last, member, column) #column
#define ROW_SET_EXCLUDED_OF(how, type, after, last, member, column) #column " = excluded." #column

/*
 * The functions of a row, static in the file that uses ROWS:
 *   bind_NAME      binds all columns;
 *   bind_new_NAME  binds all columns but the first, for ROW_INSERT_NEW;
 *   run_NAME       binds all columns and runs the statement;
 *   defer_NAME     like run_NAME, with sql_run_deferred;
 *   run_new_NAME   binds all columns but the first, runs the insertion and sets *id;
 *   take_NAME      reads the columns of the current row; members without a column become 0;
 *   read_NAME      reads the first row and ends the statement (STORAGE_NOT_FOUND: there is none);
 *   each_NAME      calls `each` for every row until it returns false, and ends the statement;
 *   list_NAME      reads at most `capacity` rows, sets *count to their number and ends the
 * statement. ROWS_COMPARING makes is_same_NAME: whether two rows have the same values in all
 * columns.
 */
#define ROWS(name, type, LIST)                                                                     \
    ROWS_BINDING(name, type, LIST);                                                                \
    ROWS_TAKING(name, type, LIST);                                                                 \
    ROWS_READING(name, type)

/* Stands at the end of a macro that defines functions, so that a semicolon may follow the macro. */
#define ROWS_END _Static_assert(true, "a declaration")
#define ROW_UNUSED __attribute__((unused))

/* NOLINTBEGIN(bugprone-macro-parentheses): these macros make functions and statements */
#define ROWS_BINDING(name, type, LIST)                                                             \
    ROW_UNUSED static void bind_##name(struct sql *q, const type *row){                            \
        LIST(ROW_BIND, ROW_BIND)} ROW_UNUSED static void bind_new_##name(struct sql *q,            \
                                                                         const type *row){LIST(    \
        ROW_SKIP, ROW_BIND)} ROW_UNUSED static enum storage_result run_##name(struct sql q,        \
                                                                              const type *row)     \
    {                                                                                              \
        bind_##name(&q, row);                                                                      \
        return sql_run(&q);                                                                        \
    }                                                                                              \
    ROW_UNUSED static enum storage_result defer_##name(struct sql q, const type *row)              \
    {                                                                                              \
        bind_##name(&q, row);                                                                      \
        return sql_run_deferred(&q);                                                               \
    }                                                                                              \
    ROW_UNUSED static enum storage_result run_new_##name(struct sql q, const type *row,            \
                                                         int64_t *id)                              \
    {                                                                                              \
        bind_new_##name(&q, row);                                                                  \
        return sql_run_insertion(&q, id);                                                          \
    }                                                                                              \
    ROWS_END

#define ROWS_TAKING(name, type, LIST)                                                              \
    ROW_UNUSED static void take_##name(struct sql *q, type *row)                                   \
    {                                                                                              \
        *row = (type){0};                                                                          \
        LIST(ROW_TAKE, ROW_TAKE)                                                                   \
    }                                                                                              \
    ROWS_END

#define ROWS_READING(name, type)                                                                   \
    ROW_UNUSED static enum storage_result read_##name(struct sql *q, type *row)                    \
    {                                                                                              \
        if (sql_first_row(q)) {                                                                    \
            take_##name(q, row);                                                                   \
        }                                                                                          \
        return sql_end(q);                                                                         \
    }                                                                                              \
    ROW_UNUSED static enum storage_result each_##name(                                             \
        struct sql *q, bool (*each)(void *context, const type *row), void *context)                \
    {                                                                                              \
        type row;                                                                                  \
        bool goes_on = true;                                                                       \
        while (goes_on && sql_next_row(q)) {                                                       \
            take_##name(q, &row);                                                                  \
            goes_on = each(context, &row);                                                         \
        }                                                                                          \
        return sql_end(q);                                                                         \
    }                                                                                              \
    ROW_UNUSED static enum storage_result list_##name(struct sql *q, type *rows, size_t capacity,  \
                                                      size_t *count)                               \
    {                                                                                              \
        *count = 0;                                                                                \
        while (*count < capacity && sql_next_row(q)) {                                             \
            take_##name(q, &rows[(*count)++]);                                                     \
        }                                                                                          \
        return sql_end(q);                                                                         \
    }                                                                                              \
    ROWS_END

#define ROWS_COMPARING(name, type, LIST)                                                           \
    static bool is_same_##name(const type *a, const type *b)                                       \
    {                                                                                              \
        return true LIST(ROW_SAME, ROW_SAME);                                                      \
    }                                                                                              \
    ROWS_END

#define ROW_SAME(...) STORAGE_COLUMN(ROW_SAME_OF, __VA_ARGS__)
#define ROW_SAME_OF(how, type, after, last, member, column) ROW_SAME_##how(a->member, b->member)
#define ROW_SAME_INTEGER(a, b) &&a == b
#define ROW_SAME_FLAG(a, b) &&a == b
#define ROW_SAME_CHOICE(a, b) &&a == b
#define ROW_SAME_LINK(a, b) &&a == b
#define ROW_SAME_TEXT(a, b) &&strcmp(a, b) == 0

#define ROW_BIND(...) STORAGE_COLUMN(ROW_BIND_OF, __VA_ARGS__)
#define ROW_BIND_OF(how, type, after, last, member, column) ROW_BIND_##how(row->member, last)
#define ROW_BIND_INTEGER(place, last) sql_bind_int(q, place);
#define ROW_BIND_FLAG(place, last) sql_bind_int(q, place);
#define ROW_BIND_CHOICE(place, last) sql_bind_int(q, place);
#define ROW_BIND_LINK(place, last) sql_bind_id(q, place);
#define ROW_BIND_REAL(place, last) sql_bind_real(q, place);
#define ROW_BIND_TEXT(place, last) sql_bind_text(q, place, sizeof place);
#define ROW_BIND_BYTES(place, last) sql_bind_bytes(q, place, sizeof place);
#define ROW_BIND_BORROWED(place, last) sql_bind_text(q, place == NULL ? "" : place, last);

#define ROW_TAKE(...) STORAGE_COLUMN(ROW_TAKE_OF, __VA_ARGS__)
#define ROW_TAKE_OF(how, type, after, last, member, column) ROW_TAKE_##how(type, last, row->member)
#define ROW_TAKE_INTEGER(type, last, place) place = (type)sql_read_int(q);
#define ROW_TAKE_FLAG(type, last, place) place = sql_read_int(q) != 0;
#define ROW_TAKE_CHOICE(type, last, place) place = (type)sql_read_enum(q, last);
#define ROW_TAKE_LINK(type, last, place) place = sql_read_int(q);
#define ROW_TAKE_REAL(type, last, place) place = sql_read_real(q);
#define ROW_TAKE_TEXT(type, last, place) sql_read_text(q, place, sizeof place);
#define ROW_TAKE_BYTES(type, last, place) sql_read_bytes(q, place, sizeof place);
#define ROW_TAKE_BORROWED(type, last, place) place = sql_borrow_text(q);
/* NOLINTEND(bugprone-macro-parentheses) */

/*
 * Functions that run one statement, as a table: each folder of rows has a list NAME.def, whose rows
 * are declared at the end of its header and defined in its source file. A row says a function's
 * name, what comes of the statement, the statement, and the function's arguments, which are bound
 * in this order (NONE: it has none):
 *
 *     STATEMENT(storage_key_remove, CHANGE,
 *               "DELETE FROM keys WHERE account = ? AND fingerprint = ?",
 *               INT(account), TEXT(fingerprint, STORAGE_FINGERPRINT_SIZE))
 *
 * makes
 *
 *     enum storage_result storage_key_remove(struct storage *storage, int64_t account,
 *                                            const char *fingerprint) MUST_CHECK;
 *
 * Arguments are INT(name), TEXT(name, size) and CHOICE(enum, name), bound by sql_bind_int or
 * sql_bind_text. VALUE(expression) and WORDS(expression, size) are bound in the same ways but are
 * no arguments of the function: they are constants, or come from GIVEN(declaration), an argument
 * that is not bound. What comes of a statement adds arguments at the end:
 *
 *   RUN               nothing: sql_run
 *   CHANGE            STORAGE_NOT_FOUND when no row was changed: sql_run_change
 *   DEFER             sql_run_deferred
 *   NUMBER(name)      int64_t *name; STORAGE_NOT_FOUND when there is no row
 *   NUMBER_OR(n, name)  the same, but *name is n when there is no row
 *   NUMBERS(a, b)     int64_t *a, int64_t *b: the two columns of the row, like NUMBER
 *   COUNT(name)       uint32_t *name
 *   WORDS_OF(name, size)  char name[size], a text; like NUMBER
 *   EXISTS            nothing; STORAGE_NOT_FOUND when there is no row
 *   IS_THERE(name)    bool *name: whether the result has a row
 *   ROW(x)            struct storage_x *x, the first row; STORAGE_NOT_FOUND when there is none
 *   FIND(x)           the same by the function find_x of the source file
 *   EACH(x)           bool (*row)(void *context, const struct storage_x *x), void *context:
 *                     called for each row until it returns false
 *   EACH_NUMBER       the same with int64_t number, the only column
 *   LIST(x)           struct storage_x *x, the first rows: at most size_t capacity; size_t *count
 *   STORE(x), DEFER_STORE(x)   const struct storage_x *x, all of whose columns are stored
 *   ADD(x)            the same, but x gets a new number: int64_t *id
 *
 * with the functions that ROWS(x, …) makes. A row STATEMENT_INSIDE(…); in a source file makes a
 * static function.
 */
/* NOLINTBEGIN(bugprone-macro-parentheses): these macros make functions */
#ifdef __cppcheck__ /* whose preprocessor cannot expand them */
#define STATEMENT_DECLARED(...)
#define STATEMENT_DEFINED(...)
#define STATEMENT_INSIDE(...) ROWS_END
#else
#define STATEMENT_DECLARED(name, outcome, text, ...)                                               \
    STATEMENT_DO(DECLARE, STATEMENT_##outcome, name, text, __VA_ARGS__)
#define STATEMENT_DEFINED(name, outcome, text, ...)                                                \
    STATEMENT_DO(DEFINE, STATEMENT_##outcome, name, text, __VA_ARGS__)
#define STATEMENT_INSIDE(...) static STATEMENT_DEFINED(__VA_ARGS__) ROWS_END
#endif
#define STATEMENT_DO(what, ...) STATEMENT_##what(__VA_ARGS__)
#define STATEMENT_DECLARE(takes, begin, end, name, text, ...)                                      \
    STATEMENT_HEAD(takes, name, __VA_ARGS__) MUST_CHECK;
#define STATEMENT_DEFINE(takes, begin, end, name, text, ...)                                       \
    STATEMENT_HEAD(takes, name, __VA_ARGS__)                                                       \
    {                                                                                              \
        struct sql q =                                                                             \
            statement_bind(begin(storage, text),                                                   \
                           (const struct sql_value[]){STATEMENT_MAP(BIND, __VA_ARGS__) SQL_NONE}); \
        return end;                                                                                \
    }
#define STATEMENT_HEAD(takes, name, ...)                                                           \
    enum storage_result name(struct storage *storage STATEMENT_MAP(TAKE, __VA_ARGS__)              \
                                 STATEMENT_OPEN takes)
#define STATEMENT_OPEN(...) __VA_ARGS__

/* The outcomes: the arguments that they add, how the statement begins, and what ends it. */
#define STATEMENT_RUN (), sql_write, sql_run(&q)
#define STATEMENT_CHANGE (), sql_write, sql_run_change(&q)
#define STATEMENT_DEFER (), sql_write, sql_run_deferred(&q)
#define STATEMENT_STORE(x) (, const struct storage_##x *x), sql_write, run_##x(q, x)
#define STATEMENT_DEFER_STORE(x) (, const struct storage_##x *x), sql_write, defer_##x(q, x)
#define STATEMENT_ADD(x)                                                                           \
    (, const struct storage_##x *x, int64_t *id), sql_write, run_new_##x(q, x, id)
#define STATEMENT_NUMBER(name) (, int64_t * name), sql_read, statement_read_number(&q, name)
#define STATEMENT_NUMBER_OR(number, name)                                                          \
    (, int64_t * name), sql_read, statement_read_number_or(&q, number, name)
#define STATEMENT_NUMBERS(a, b)                                                                    \
    (, int64_t * a, int64_t * b), sql_read, statement_read_numbers(&q, a, b)
#define STATEMENT_COUNT(name) (, uint32_t * name), sql_read, statement_read_count(&q, name)
#define STATEMENT_WORDS_OF(name, size)                                                             \
    (, char name[size]), sql_read, statement_read_text(&q, name, size)
#define STATEMENT_EXISTS (), sql_read, ((void)sql_first_row(&q), sql_end(&q))
#define STATEMENT_IS_THERE(name) (, bool *name), sql_read, statement_has_row(&q, name)
#define STATEMENT_ROW(x) (, struct storage_##x * x), sql_read, read_##x(&q, x)
#define STATEMENT_FIND(x) (, struct storage_##x * x), sql_read, find_##x(&q, x)
#define STATEMENT_EACH(x)                                                                          \
    (, bool (*row)(void *context, const struct storage_##x *x), void *context), sql_read,          \
        each_##x(&q, row, context)

#define STATEMENT_EACH_NUMBER                                                                      \
    (, bool (*row)(void *context, int64_t number), void *context), sql_read,                       \
        statement_each_number(&q, row, context)
#define STATEMENT_LIST(x)                                                                          \
    (, struct storage_##x * x, size_t capacity, size_t * count), sql_read,                         \
        list_##x(&q, x, capacity, count)

/* The arguments. */
#define STATEMENT_MAP(what, ...)                                                                   \
    STATEMENT_CHOOSE(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, none)(STATEMENT_##what, __VA_ARGS__)
#define STATEMENT_CHOOSE(a, b, c, d, e, f, g, h, i, count, ...) STATEMENT_MAP##count
#define STATEMENT_MAP1(what, a) what##_##a
#define STATEMENT_MAP2(what, a, ...) what##_##a STATEMENT_MAP1(what, __VA_ARGS__)
#define STATEMENT_MAP3(what, a, ...) what##_##a STATEMENT_MAP2(what, __VA_ARGS__)
#define STATEMENT_MAP4(what, a, ...) what##_##a STATEMENT_MAP3(what, __VA_ARGS__)
#define STATEMENT_MAP5(what, a, ...) what##_##a STATEMENT_MAP4(what, __VA_ARGS__)
#define STATEMENT_MAP6(what, a, ...) what##_##a STATEMENT_MAP5(what, __VA_ARGS__)
#define STATEMENT_MAP7(what, a, ...) what##_##a STATEMENT_MAP6(what, __VA_ARGS__)
#define STATEMENT_MAP8(what, a, ...) what##_##a STATEMENT_MAP7(what, __VA_ARGS__)
#define STATEMENT_MAP9(what, a, ...) what##_##a STATEMENT_MAP8(what, __VA_ARGS__)
#define STATEMENT_TAKE_NONE
#define STATEMENT_TAKE_INT(name) , int64_t name
#define STATEMENT_TAKE_TEXT(name, size) , const char *name
#define STATEMENT_TAKE_CHOICE(type, name) , enum type name
#define STATEMENT_TAKE_GIVEN(declaration) , declaration
#define STATEMENT_TAKE_VALUE(expression)
#define STATEMENT_TAKE_WORDS(expression, size)
#define STATEMENT_BIND_NONE
#define STATEMENT_BIND_INT(name) SQL_INT(name),
#define STATEMENT_BIND_TEXT(name, size) SQL_TEXT(name, size),
#define STATEMENT_BIND_CHOICE(type, name) SQL_INT(name),
#define STATEMENT_BIND_GIVEN(declaration)
#define STATEMENT_BIND_VALUE(expression) SQL_INT(expression),
#define STATEMENT_BIND_WORDS(expression, size) SQL_TEXT(expression, size),
/* NOLINTEND(bugprone-macro-parentheses) */

/* Inside storage/ only: what the code that knows SQLite needs besides sql.h. */

/* Translates an SQLite result code into a result for callers and keeps SQLite's message for
 * storage_last_failure. Rolls the transaction back if the failure affects all of it. */
enum storage_result sql_sqlite_handle_failure(struct storage *storage, int code);

/* Returns the settings of every connection as an SQL script. Run the script before anything else,
 * outside a transaction. */
const char *sql_sqlite_settings(void);
