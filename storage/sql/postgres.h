#pragma once

#include "storage/sql/kept_results.h"
#include "storage/sql/libpq.h"
#include "storage/sql/read_ahead.h"
#include "storage/sql/sql.h"

/*
 * Inside storage/sql/ only: the connection to a PostgreSQL database. Statements are sent without
 * waiting for the answers to those before them (libpq's pipeline mode); one wait then reads all
 * answers. So a wait costs one round trip, however many statements it covers.
 */

/* The most statements without an answer. So their answers always fit the buffers of the sockets. */
#define POSTGRES_SENT_MAX 512

/* If these words are part of the server's message, they alone are the reason of the failure. */
#define POSTGRES_FENCED "another node has taken the house"

struct postgres {
    const struct libpq *pq;
    PGconn *connection;
    struct kept_results *kept;
    struct read_ahead ahead;
    bool is_broken;    /* nothing more can be sent */
    uint64_t waits;    /* number of round trips so far */
    unsigned names;    /* number of statements that were prepared so far */
    unsigned compiled; /* number of statements that were compiled so far */
    int64_t last_id;   /* of the last insertion of a row with a new number */
    int64_t changes;   /* number of rows that the last statement changed */
    size_t sent_count; /* number of statements without an answer */
    struct postgres_sent {
        PGresult **answer; /* receives the answer, which the owner clears; NULL: not needed */
        char *name;        /* of the statement that this one prepares; NULL: it prepares none */
    } sent[POSTGRES_SENT_MAX];
};

/* A failure that a wait has found. */
struct postgres_failure {
    size_t place;     /* of the statement among those sent since the last wait, from 0 */
    PGresult *answer; /* owned; NULL: the connection has broken */
};

/*
 * Connects to the database of a URL and prepares the session. If it fails, storage->why says why
 * without the URL, which may contain a password; call postgres_disconnect then too.
 */
enum storage_result postgres_connect(struct storage *storage, const char *url) MUST_CHECK;

/* Closes the connection, if there is one. */
void postgres_disconnect(struct storage *storage);

/* Sends a statement without arguments, which writes to no table. */
void postgres_send(struct postgres *postgres, const char *text);

/* Sends a statement to be prepared under `name`. The server must not know the name yet. If it
 * cannot be prepared, the wait sets the name to "". */
void postgres_send_preparation(struct postgres *postgres, char *name, const char *text, int count,
                               const Oid *types);

/* Arguments of a prepared statement: see PQsendQueryPrepared. */
struct postgres_arguments {
    int count;
    const char *const *values;
    const int *lengths;
    const int *formats;
};

/* Sends a prepared statement. The next wait sets *answer, which must be NULL. */
void postgres_send_prepared(struct postgres *postgres, const char *name,
                            const struct postgres_arguments *arguments, PGresult **answer);

/* Waits for the answers to all that was sent. Returns false after a failure: the server has then
 * carried out none of the statements after the one that failed. */
bool postgres_wait(struct postgres *postgres, struct postgres_failure *failure) MUST_CHECK;

/* Translates a failure into the result for callers. Keeps its description in storage->why, unless
 * the result is STORAGE_TAKEN. */
enum storage_result postgres_translate_failure(struct storage *storage,
                                               const struct postgres_failure *failure) MUST_CHECK;

/* Ends the transaction in which something has failed: rolls it back, keeps the result in
 * storage->failed, releases *failure and returns the result. */
enum storage_result postgres_fail(struct storage *storage,
                                  struct postgres_failure *failure) MUST_CHECK;

bool postgres_is_in_transaction(const struct postgres *postgres);

/* Rolls the open transaction back; on a broken connection it stays open. */
void postgres_roll_back(struct postgres *postgres);

/* Runs statements that are separated by semicolons. */
enum storage_result postgres_run_script(struct storage *storage, const char *text) MUST_CHECK;
