#pragma once

#include "storage/storage.h"
#include "storage/upkeep/upkeep.h"

/* Checking and reading data files that no process has open: backups, and the house's own file while
 * the house is closed. */

/* What a data file contains. */
struct storage_summary {
    int64_t accounts; /* number of accounts of people */
    int64_t games;    /* number of finished games */
    int64_t last_ms;  /* when the last finished game ended; 0: none */
};

/*
 * Checks a file that nobody has open, without changing it: it is the data of a house, this program
 * knows its schema version, every page and index is undamaged, and every reference leads to a row.
 * Returns STORAGE_OK, _NOT_FOUND, _LOCKED (a log lies beside the file), _IO, _CORRUPT, _OLDER,
 * _NEWER, _FOREIGN, _REFUSED (the path is the URL of a PostgreSQL database; so too for the
 * functions below).
 */
enum storage_result storage_check_file(const char *path, struct storage_summary *summary,
                                       char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens for reading a file that no process has open; every write is refused. Fails if the schema
 * version is not the current one: STORAGE_NEWER for a newer version, STORAGE_REFUSED for an older
 * one. Close it with storage_close. */
enum storage_result storage_open_read_only(const char *path, struct storage **storage,
                                           char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Makes and opens a writable temporary copy of a file that no process has open, migrated to the
 * current schema version. The copy is an unnamed file in the system's temporary directory and is
 * deleted when closed. */
enum storage_result storage_open_temporary_copy(const char *path, struct storage **storage,
                                                char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Hears what is wrong, one sentence each, which is borrowed for the call. */
struct storage_findings {
    void (*hear)(void *context, const char *words);
    void *context;
};

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

/*
 * Copies a house from PostgreSQL into a new file, the way back from storage_copy_to_postgres. Reads
 * one state of the database, even if a house is open on it meanwhile, and changes nothing there.
 * Compares every row of every table before it keeps the file.
 *
 * The file appears complete, checked and closed, or not at all. Returns STORAGE_OK; STORAGE_TAKEN
 * if there is a file at `path`; _REFUSED if the database's schema is not the one of this program;
 * _CORRUPT, _FULL, _IO, _OLDER, _FOREIGN. `why` tells the table, but never the URL.
 */
enum storage_result storage_copy_from_postgres(const char *url, const char *path,
                                               storage_copy_report *report, void *context,
                                               char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/*
 * Moves a house from SQLite to PostgreSQL: copies every row of every table into an empty database,
 * in one transaction, and compares all of them before it commits. So the database holds a complete
 * house, or no row of one. Tables and columns come from the two schemas; a new table is copied
 * without a change here.
 */

/*
 * Copies all data of `from`, which is SQLite's, has the current schema and has no transaction open,
 * to the database at `url`: an empty one, or one whose tables have no rows. Makes its tables if it
 * has none. `from` is not changed. Returns STORAGE_OK, or a failure, of which `why` tells the table
 * and row if there is one to blame; the database then has no new rows. STORAGE_REFUSED: the
 * database is not empty or refuses a row; _CORRUPT: what it stored is not what was copied; _FULL,
 * _IO, _NEWER and _FOREIGN as storage_open. `why` never shows the URL.
 */
enum storage_result storage_copy_to_postgres(struct storage *from, const char *url,
                                             storage_copy_report *report, void *context,
                                             char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Reads every row of the database with its list of columns (sql/sql.h), and reports the tables with
 * a row that does not read back as it is stored: a text or bytes of a wrong size, a number that its
 * member cannot hold, a choice that this program does not know. STORAGE_OK, with findings or
 * without, _IO, _CORRUPT: `why` tells what failed. */
enum storage_result row_check(struct storage *storage, const struct storage_findings *findings,
                              char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Compares the schema of a database with the one that the migrations make. Reports each table,
 * column, view, index, trigger or function that is strange, missing or defined in another way. */

/* Compares the schema of an SQLite database that has had all migrations. STORAGE_OK, with findings
 * or without, _IO, _CORRUPT: `why` tells what failed. */
enum storage_result schema_check(struct storage *storage, const struct storage_findings *findings,
                                 char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* The same for a PostgreSQL database. The tables to compare with are made in a schema of their own,
 * in a transaction that is rolled back. Also _REFUSED: the database lets this role make none. */
enum storage_result schema_check_postgres(const char *url, const struct storage_findings *findings,
                                          char why[STORAGE_WHY_SIZE]) MUST_CHECK;
