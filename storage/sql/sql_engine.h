#pragma once

#include "storage/storage.h"

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

/* What a column of a row holds. */
enum sql_kind {
    SQL_KIND_NULL,
    SQL_KIND_INT,
    SQL_KIND_REAL,
    SQL_KIND_TEXT, /* or bytes */
};

struct sql_engine {
    /* Compiles a text, which is a constant. A write runs only in a transaction. The statement lives
     * until forget. */
    enum storage_result (*compile)(struct storage *storage, const char *text, bool is_write,
                                   struct sql_statement **statement);
    void (*forget)(struct sql_statement *statement);
    /* The text of the statement, for messages. */
    const char *(*text)(struct sql_statement *statement);
    /* True between the first step and `reset`. */
    bool (*is_running)(struct sql_statement *statement);

    /* Bind the argument at a place from 1 on. Texts and bytes are borrowed until `reset`. */
    enum storage_result (*bind_null)(struct storage *storage, struct sql_statement *statement,
                                     int place);
    enum storage_result (*bind_int)(struct storage *storage, struct sql_statement *statement,
                                    int place, int64_t value);
    enum storage_result (*bind_real)(struct storage *storage, struct sql_statement *statement,
                                     int place, double value);
    enum storage_result (*bind_text)(struct storage *storage, struct sql_statement *statement,
                                     int place, const char *text, size_t len);
    enum storage_result (*bind_bytes)(struct storage *storage, struct sql_statement *statement,
                                      int place, const void *bytes, size_t len);

    /* Runs a write as sql_run_deferred says. NULL: it is run like any other write. */
    enum storage_result (*defer)(struct storage *storage, struct sql_statement *statement);
    /* After SQL_STEP_FAILED the statement is reset already. */
    enum sql_step (*step)(struct storage *storage, struct sql_statement *statement,
                          enum storage_result *result);
    /* Ends a run, so that the statement can be run again. */
    void (*reset)(struct sql_statement *statement);

    /* Describe the result and a column, from 0 on, of the present row. Names are borrowed. */
    int (*count_columns)(struct sql_statement *statement);
    const char *(*column_name)(struct sql_statement *statement, int column);
    enum sql_kind (*column_kind)(struct sql_statement *statement, int column);

    /* Read a column, from 0 on, of the present row. NULL reads as 0 and as no bytes. What is
     * borrowed is valid until the next step. */
    int64_t (*read_int)(struct sql_statement *statement, int column);
    double (*read_real)(struct sql_statement *statement, int column);
    const char *(*borrow_text)(struct sql_statement *statement, int column);
    const void *(*borrow_bytes)(struct sql_statement *statement, int column, size_t *len);

    /* The number of the row that was inserted last, and how many rows the last statement
     * changed. */
    int64_t (*last_id)(struct storage *storage);
    int64_t (*changes)(struct storage *storage);

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
