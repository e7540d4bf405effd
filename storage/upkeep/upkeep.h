#pragma once

#include "storage/sql/postgres.h"
#include "storage/sql/sql.h"
#include "storage/storage.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Backups of the data while the house is open. A backup is written to one path in steps between
 * commits, so that nobody waits for it; it contains what is committed meanwhile. After a check
 * (storage_check_file, best in a separate process) it gets its final name:
 *
 *     begin ──► step … step (is_done) ──► end ──► storage_check_file ──► storage_backup_rename
 *
 * The failure of a backup does not affect the data it copies.
 */
struct storage_backup;

/* Begins a copy at `path`, which only its owner may read; an existing file is replaced. The storage
 * is borrowed until storage_backup_end. On an error *backup is NULL. STORAGE_OK, _FULL, _IO, or
 * _REFUSED: the data are in a PostgreSQL database, which has programs of its own for that. */
enum storage_result storage_backup_begin(struct storage *storage, const char *path,
                                         struct storage_backup **backup,
                                         char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Copies the next `pages` pages of 4 KiB, or all remaining pages when `pages` is negative. Call it
 * outside a transaction. *is_done tells whether the copy is complete. After a failure only
 * storage_backup_end may follow. */
enum storage_result storage_backup_step(struct storage_backup *backup, int pages, bool *is_done,
                                        char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Makes the copy durable if every step succeeded and the last step completed it; otherwise removes
 * it. Frees the backup. After a failed step it returns the failure of that step and leaves the text
 * in `why` unchanged. Takes NULL. */
enum storage_result storage_backup_end(struct storage_backup *backup,
                                       char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Makes, checks and renames a backup in one call that blocks until all is done. The file `path`
 * appears complete and durable, or not at all. STORAGE_REFUSED as for storage_backup_begin. */
enum storage_result storage_backup_make(struct storage *storage, const char *path,
                                        char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Renames a finished copy durably; replaces an existing file of that name. */
enum storage_result storage_backup_rename(const char *copy, const char *path,
                                          char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Merges the write-ahead log that lies beside a file (PATH-wal) into it and removes the log: the
 * file then also has what was committed last before its house died. Nobody may have the file open.
 * After a failure the log stays. STORAGE_OK, _FULL, _IO, _CORRUPT if nothing in the log can be
 * read. */
enum storage_result storage_backup_merge_log(const char *copy,
                                             char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Inside storage/ only: the connection to the PostgreSQL database that is copied to or from.
 * It runs its own statements, most of which only a copy needs. */
struct copy_postgres {
    const struct libpq *pq;
    PGconn *connection;
    char *why; /* borrowed, STORAGE_WHY_SIZE bytes: describes the last failure */
};

/* Connects to the database. `why` is borrowed until copy_postgres_close. Returns STORAGE_OK or _IO;
 * call copy_postgres_close in both cases. */
enum storage_result copy_postgres_connect(struct copy_postgres *postgres, const char *url,
                                          char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Ends the connection; the server rolls back what was not committed. */
void copy_postgres_close(struct copy_postgres *postgres);

/* Begins a transaction with the statement `begin`; it may take long. */
enum storage_result copy_postgres_begin(struct copy_postgres *postgres,
                                        const char *begin) MUST_CHECK;

/* Runs one statement (printf) whose rows are not needed. Returns STORAGE_OK, _REFUSED if the data
 * break a rule of the database, _FULL or _IO. */
enum storage_result copy_postgres_run(struct copy_postgres *postgres, const char *format, ...)
    __attribute__((format(printf, 2, 3))) MUST_CHECK;

/* Runs one query (printf). *rows becomes its rows, which the caller clears with PQclear; NULL after
 * a failure. Returns STORAGE_OK or _IO. */
enum storage_result copy_postgres_query(struct copy_postgres *postgres, PGresult **rows,
                                        const char *format, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/* Reads the only value of the only row of a query as a number. Returns STORAGE_OK or _IO. */
enum storage_result copy_postgres_read_number(struct copy_postgres *postgres, int64_t *number,
                                              const char *format, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/* Describes the failure of a statement in `why`, after the name of the table (NULL: none), and
 * returns its result. */
enum storage_result copy_postgres_fail(struct copy_postgres *postgres, const PGresult *failed,
                                       const char *table);

/* Begins a COPY (`text`) to or from the table, which puts the connection into this state. */
enum storage_result copy_postgres_begin_copy(struct copy_postgres *postgres, ExecStatusType state,
                                             const char *text, const char *table) MUST_CHECK;

/* The rows that the server sends in a COPY. */
struct copy_stream {
    bool has_begun;
    char *bytes; /* the row received last; copy_postgres_end_copy releases it */
};

/* Receives the next row: its bytes, borrowed until the next call. Returns false when there is no
 * more, also after a failure, which copy_postgres_end_copy returns. */
bool copy_postgres_next_row(struct copy_postgres *postgres, struct copy_stream *stream,
                            const uint8_t **row, size_t *len);

/* Ends a COPY; `stream` is NULL if the rows went to the server. *failed becomes the first failure,
 * which the caller clears with PQclear; NULL: none. */
void copy_postgres_end_copy(struct copy_postgres *postgres, struct copy_stream *stream,
                            PGresult **failed);

/* What a copy of a house from one database to another reports. */

enum storage_copy_stage {
    STORAGE_COPY_SENDING,
    STORAGE_COPY_COMPARING,
    STORAGE_COPY_EQUAL, /* the table is copied and compared; `rows` is its number of rows */
};

/* How far the copy is: the table that it is at, and the rows so far. */
struct storage_copy_progress {
    enum storage_copy_stage stage;
    const char *table; /* borrowed for the call */
    int64_t rows;
};

/* Is called every few thousand rows, and once for each table that is copied and compared.
 * May be NULL. */
typedef void storage_copy_report(void *context, const struct storage_copy_progress *progress);

/* Inside storage/upkeep/ only: the tables that are copied from SQLite to PostgreSQL, and their
 * columns, as the schemas of both say. */

#define COPY_NAME_SIZE 64

/* How the values of a column travel. */
enum copy_type {
    COPY_INT,
    COPY_REAL,
    COPY_TEXT,
    COPY_BYTES,
};

struct copy_column {
    char name[COPY_NAME_SIZE];
    enum copy_type type;
    unsigned key_place; /* 1, 2 …: its place in the primary key; 0: it is not part of it */
};

struct copy_table {
    char name[COPY_NAME_SIZE];
    struct copy_column *columns;
    size_t column_count;
};

struct copy_schema {
    struct copy_table *tables;
    size_t table_count;
};

/* Reads SQLite's tables and checks that PostgreSQL has the same ones with the same columns of the
 * same types. A table that only PostgreSQL has stays out; one that only SQLite has must be empty.
 * Returns STORAGE_OK, _REFUSED if the schemas differ, _CORRUPT or _IO. Call copy_schema_clear in
 * any case. */
enum storage_result copy_schema_read(struct storage *sqlite, struct copy_postgres *postgres,
                                     struct copy_schema *schema) MUST_CHECK;

void copy_schema_clear(struct copy_schema *schema);

/* Returns the text of the query that selects all columns of all rows of a table, ordered by its
 * primary key. Both databases understand it. The caller frees it; aborts if memory runs out. */
char *copy_schema_make_query(const struct copy_table *table);

/*
 * Inside storage/upkeep/ only: one row in PostgreSQL's binary format for COPY (its manual, "COPY",
 * "Binary Format"): the number of columns as 2 bytes, then each column as the 4 bytes of its length
 * (-1: NULL) and its value. Numbers have their highest byte first.
 */

#define COPY_HEADER_BYTES 19
#define COPY_TRAILER_BYTES 2

/* What comes before the first row: the signature, no flags, no extension. What comes after the last
 * one: -1 instead of a number of columns. */
extern const char copy_header[COPY_HEADER_BYTES];
extern const char copy_trailer[COPY_TRAILER_BYTES];

/* Bytes that grow. */
struct copy_row {
    uint8_t *bytes;
    size_t len, size;
};

/* Replaces *row by the present row of a query of copy_schema_make_query. */
void copy_row_encode(struct copy_row *row, const struct copy_table *table, struct sql *q);

/* Binds the columns of a row to an insertion of all columns; the row is borrowed until the
 * insertion has run. A row that is not whole makes q->result STORAGE_CORRUPT. */
void copy_row_bind(const uint8_t *bytes, size_t len, const struct copy_table *table, struct sql *q);

/* Returns the first column in which two rows of the table differ; the number of columns if the rows
 * are equal. The second row may be any bytes. */
size_t copy_row_find_difference(const struct copy_row *row, const void *other, size_t other_len);

/* Writes the columns of the row's primary key, for messages: "account 5, game whist". Cuts what
 * does not fit. */
void copy_row_describe(const struct copy_row *row, const struct copy_table *table, char *words,
                       size_t size);

void copy_row_clear(struct copy_row *row);

/*
 * Inside storage/upkeep/ only: copies the rows of a table from SQLite to PostgreSQL or back, and
 * compares all of them. Rows travel in PostgreSQL's binary format for COPY, in which a row is the
 * same bytes if and only if all its values are the same to the last bit.
 */

/* Is called every COPY_ROWS_STEP rows with the number of rows so far. */
typedef void copy_rows_progress(void *context, int64_t rows);
#define COPY_ROWS_STEP 8192

struct copy_rows {
    struct storage *sqlite;
    struct copy_postgres *postgres;
    const struct copy_table *table;
    copy_rows_progress *progress;
    void *context;
};

/* Compares the two tables row by row and column by column. Returns STORAGE_OK if they are equal;
 * _CORRUPT if not: postgres->why then names the first row that differs, and how. */
enum storage_result copy_rows_compare(const struct copy_rows *copy) MUST_CHECK;

/* Inside storage/ only: copies and compares all tables of a house, from SQLite to PostgreSQL
 * or back. The caller begins and ends the transactions. */

/* The columns that PostgreSQL numbers itself: a query for their tables and names. */
#define COPY_IDENTITY_COLUMNS                                                                      \
    "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"        \
    " WHERE a.attidentity <> '' AND c.relkind = 'r'"                                               \
    " AND c.relnamespace = current_schema()::regnamespace"

struct copy_tables {
    struct storage *sqlite; /* borrowed */
    struct copy_postgres postgres;
    struct copy_schema schema;
    int64_t *counts; /* number of rows copied, of each table of the schema */
    storage_copy_report *report;
    void *context;
    enum storage_copy_stage stage;
    const struct copy_table *table; /* the one that is being copied or compared */
};

/* Reads both schemas into `copy`, whose sqlite and postgres are set: see copy_schema_read. */
enum storage_result copy_tables_find(struct copy_tables *copy) MUST_CHECK;

/* Copy all rows of all tables: see copy_rows_send and copy_rows_receive. */
enum storage_result copy_tables_send(struct copy_tables *copy) MUST_CHECK;
enum storage_result copy_tables_receive(struct copy_tables *copy) MUST_CHECK;

/* Compares all rows of all tables: see copy_rows_compare. */
enum storage_result copy_tables_compare(struct copy_tables *copy) MUST_CHECK;

/* Closes the connection and releases what the functions above have made. */
void copy_tables_clear(struct copy_tables *copy);

/* Inside storage/ only: reads a database file that nobody has open, without changing it. */

/* Checks every page and index of a file, whatever data it holds. Returns STORAGE_OK, _NOT_FOUND,
 * _LOCKED (a log lies beside the file), _IO, _CORRUPT. */
enum storage_result file_check(const char *path, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens the file for reading. Call file_check_close in any case. After a failure *storage is NULL
 * when memory ran out; otherwise it is not NULL and its `why` holds the reason. */
enum storage_result file_check_open(const char *path, struct storage **storage) MUST_CHECK;

/* Checks every page and index of the open file: STORAGE_OK, _IO, _CORRUPT. */
enum storage_result file_check_pages(struct storage *storage) MUST_CHECK;

/* Closes the file; takes NULL. Returns `result`. If `result` is a failure, copies its reason into
 * `why`. */
enum storage_result file_check_close(struct storage *storage, enum storage_result result,
                                     char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/*
 * Inside storage/ only: changes the schema of the database step by step. The steps are the files
 * migrations/NNN-what.sql in their order; user_version in the file counts the steps that the file
 * has had. A published step never changes.
 */
struct migration {
    const char *name; /* the step's name, such as "001-house" */
    const char *text;
};

/* The application id in the file's header. Trickhouse 0.2.0 and older versions wrote another one,
 * and numbered the versions of their schema from 1 too. */
#define MIGRATE_APPLICATION_ID 0x54726B48     /* "TrkH" */
#define MIGRATE_OLD_APPLICATION_ID 0x5472486F /* "TrHo" */

/* Returns the migration steps of this program and sets *count to their number. */
const struct migration *migrate_list_steps(size_t *count);

/* Refuses data of Trickhouse 0.2.0 or older, whose schema version is `version`: writes the reason
 * into `why` and returns STORAGE_OLDER. */
enum storage_result migrate_refuse_old_data(int64_t version, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Refuses data whose schema version is above `newest`, in the same way: STORAGE_OK or _NEWER. */
enum storage_result migrate_refuse_newer_data(int64_t version, size_t newest,
                                              char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Runs the migration steps that the file has not had, each in its own transaction. First makes a
 * backup of a file that is not empty. Call it outside a transaction. Returns STORAGE_OLDER, _NEWER,
 * _FOREIGN or the result of a write; storage->why describes a failure. */
enum storage_result migrate_run_steps(struct storage *storage, const struct migration *list,
                                      size_t count) MUST_CHECK;

/* The row of the table `meta` that counts the steps that the database has had: the schema version.
 * SQLite stores that number elsewhere. Trickhouse 0.2.0 and older versions had a row of another
 * name. */
#define MIGRATE_VERSION_ROW "schema_version"
#define MIGRATE_OLD_VERSION_ROW "schema"

/* Inside storage/ only: returns the migration steps of this program for PostgreSQL and sets *count
 * to their number: those for SQLite, translated by the build (migrations/embed.cmake), and with
 * them the files of the same names in migrations/postgres/. */
const struct migration *migrate_postgres_list_steps(size_t *count);

/* Inside storage/ only: runs the migration steps that a PostgreSQL database has not had, each in
 * its own transaction; a new database has had none. Refuses a database that would sort texts in
 * another order than that of their bytes. Returns STORAGE_OLDER, _NEWER, _FOREIGN or the result of
 * a write; storage->why describes a failure. */
enum storage_result migrate_postgres_run_steps(struct storage *storage,
                                               const struct migration *list,
                                               size_t count) MUST_CHECK;

/*
 * Deletes what people said and where they came from once it is old. A run goes through everything
 * in small steps, so that each commit stays short. Stopping a run is harmless: the next run begins
 * again and finds what is left.
 *
 * These stay, however old they are: lines that are evidence of an open report, or of a report that
 * was closed less than the age of chat lines ago; sanctions in force and open reports; the audit
 * log, in which addresses and keys can be sealed (storage/mod/mod.h).
 */

/* What is deleted by its age. */
enum storage_retention_kind {
    STORAGE_RETENTION_CHAT = 0, /* lines said in the lobby, in channels and at tables */
    STORAGE_RETENTION_MESSAGES, /* direct messages, whether they were read or not */
    /* addresses of sign-ins, of sanctions that have ended, and of guests whom staff wrote about */
    STORAGE_RETENTION_ADDRESSES,
    /* closed reports and appeals, sanctions that have ended, notes of staff */
    STORAGE_RETENTION_CASES,
    STORAGE_RETENTION_KINDS,
};

/* A run. The caller zeroes it and sets before_ms before the first step. */
struct storage_retention_run {
    int64_t before_ms[STORAGE_RETENTION_KINDS]; /* delete what is older, in Unix ms; 0: nothing */
    int64_t deleted[STORAGE_RETENTION_KINDS];   /* rows deleted, or emptied, so far */
    size_t step;                                /* the step to continue with */
    int64_t seen_ms, seen_number;               /* age and number of the last line looked at */
};

/* Continues the run: looks at up to `max_rows` (1 or more) old rows and deletes those that need not
 * stay. Sets *is_done to whether the run is finished. */
enum storage_result storage_retention_continue(struct storage *storage,
                                               struct storage_retention_run *run, size_t max_rows,
                                               bool *is_done) MUST_CHECK;
