#pragma once

#include "storage/sql/sql.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Inside storage/ only: PostgreSQL's client library. It is loaded when a house with a PostgreSQL
 * database is opened, so that no other house depends on it.
 */
#define LIBPQ_FUNCTIONS(DO)                                                                        \
    DO(PQbackendPID)                                                                               \
    DO(PQclear)                                                                                    \
    DO(PQcmdTuples)                                                                                \
    DO(PQconnectdbParams)                                                                          \
    DO(PQconnectPoll)                                                                              \
    DO(PQconnectStartParams)                                                                       \
    DO(PQconninfoFree)                                                                             \
    DO(PQconninfoParse)                                                                            \
    DO(PQconsumeInput)                                                                             \
    DO(PQenterPipelineMode)                                                                        \
    DO(PQerrorMessage)                                                                             \
    DO(PQexec)                                                                                     \
    DO(PQexitPipelineMode)                                                                         \
    DO(PQfinish)                                                                                   \
    DO(PQfname)                                                                                    \
    DO(PQfreemem)                                                                                  \
    DO(PQftype)                                                                                    \
    DO(PQgetisnull)                                                                                \
    DO(PQgetResult)                                                                                \
    DO(PQgetvalue)                                                                                 \
    DO(PQhost)                                                                                     \
    DO(PQhostaddr)                                                                                 \
    DO(PQisBusy)                                                                                   \
    DO(PQnfields)                                                                                  \
    DO(PQntuples)                                                                                  \
    DO(PQpipelineSync)                                                                             \
    DO(PQport)                                                                                     \
    DO(PQresultErrorField)                                                                         \
    DO(PQresultErrorMessage)                                                                       \
    DO(PQresultMemorySize)                                                                         \
    DO(PQresultStatus)                                                                             \
    DO(PQsendPrepare)                                                                              \
    DO(PQsendQuery)                                                                                \
    DO(PQsendQueryParams)                                                                          \
    DO(PQsendQueryPrepared)                                                                        \
    DO(PQsetNoticeReceiver)                                                                        \
    DO(PQsocket)                                                                                   \
    DO(PQstatus)                                                                                   \
    DO(PQtransactionStatus)                                                                        \
    DO(PQunescapeBytea)

/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration */
#define LIBPQ_POINTER(name) __typeof__(name) *name;
struct libpq {
    LIBPQ_FUNCTIONS(LIBPQ_POINTER)
};
#undef LIBPQ_POINTER

/* Loads the library on the first call; it stays loaded. Returns NULL if it is not installed or
 * lacks a function; `why` then holds the reason. */
const struct libpq *libpq_load(char *why, size_t size);

/*
 * Inside storage/sql/ only: keeps what reads from PostgreSQL have found, until something is written
 * to a table that they read. The house reads the same accounts, sanctions and lines again and again
 * while a person waits, and each such read would be a round trip. What is kept is right because
 * only this connection writes to these tables: the node holds the house, and no trigger of another
 * table changes them. At most 32 MiB are kept.
 */

/* The names of the tables whose reads are kept, from 0 on; NULL after the last. */
const char *kept_table_at(size_t i);

/* What a statement has to do with the tables whose results are kept. */
struct kept_use {
    uint32_t read;    /* the set of all tables that it reads, one bit for each; 0: do not keep it */
    uint32_t written; /* the set of tables that it may change */
};

/* Finds that out from the statement's text. */
struct kept_use kept_use_of(const char *text);

/* A result. It lives as long as it is kept or somebody has it. */
struct kept_result {
    const struct libpq *pq;
    PGresult *result;
    size_t bytes;
    unsigned users; /* the slot, if it is kept, and everybody who has it */
};

/* Gives it back; NULL: nothing. */
void kept_result_release(struct kept_result *kept);

struct kept_results;

/* Returns NULL if there is no memory. `pq` is borrowed. */
struct kept_results *kept_results_new(const struct libpq *pq);

/* Forgets all results; NULL: nothing. */
void kept_results_free(struct kept_results *results);

#define KEPT_KEY_SIZE 160

/* What a run of a read is known by. */
struct kept_name {
    uint32_t tables;    /* kept_use.read */
    unsigned statement; /* a number that no other statement of the connection ever has */
    uint64_t writes;    /* the number of writes before the run */
    size_t key_len;
    char key[KEPT_KEY_SIZE]; /* the arguments */
};

/* Completes the name of a run that is made now, whose tables and statement are set. The arguments
 * are texts (NULL for SQL's NULL). Returns false if they are too long: then it is not kept. */
bool kept_results_name(const struct kept_results *results, const char *const *arguments, int count,
                       struct kept_name *name);

/* Returns what an equal run has found since the last write to its tables; release it. NULL: nothing
 * is kept. */
struct kept_result *kept_results_find(struct kept_results *results, const struct kept_name *name);

/* Keeps what a run has found. Takes the result over: the caller has it until it releases what is
 * returned. NULL: there is no memory, and the result is still the caller's. */
struct kept_result *kept_results_keep(struct kept_results *results, const struct kept_name *name,
                                      PGresult *result);

/* Forgets what was found in these tables. */
void kept_results_forget(struct kept_results *results, uint32_t tables);

/*
 * Inside storage/sql/ only: reads that PostgreSQL answers together (storage_read_ahead_begin). Each
 * is sent without waiting; once their answers have arrived, they are kept.
 */
#define READ_AHEAD_MAX 128

struct read_ahead {
    bool is_on; /* between storage_read_ahead_begin and _end */
    size_t count;
    struct {
        struct kept_name name;
        PGresult *answer; /* NULL: it has not arrived, or the read has failed */
    } reads[READ_AHEAD_MAX];
};

static inline bool read_ahead_is_full(const struct read_ahead *ahead)
{
    return ahead->count == READ_AHEAD_MAX;
}

/* Adds a read. Returns where its answer will be put; NULL if it need not be sent, because its
 * result is kept already. */
PGresult **read_ahead_add(struct read_ahead *ahead, struct kept_results *results,
                          const struct kept_name *name);

/* Keeps all answers, and forgets the reads. */
void read_ahead_keep(struct read_ahead *ahead, struct kept_results *results,
                     const struct libpq *pq);

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
    size_t sent_count; /* number of statements without an answer */
    struct postgres_sent {
        PGresult **answer; /* receives the answer, which the owner clears; NULL: not needed */
        char *name;        /* of the statement that this one prepares; NULL: it prepares none */
    } sent[POSTGRES_SENT_MAX];
};

/* Connects to the database of a URL, and sets the storage's engine. If it fails, storage->why says
 * why without the URL, which may contain a password; call sql_postgres_disconnect then too. */
enum storage_result sql_postgres_connect(struct storage *storage, const char *url) MUST_CHECK;

/* Closes the connection, if there is one. */
void sql_postgres_disconnect(struct storage *storage);

/* Makes a storage that is connected to the database, whatever the database holds: no migration
 * runs. `why` describes a failure. Close *storage with storage_close in any case. */
enum storage_result sql_postgres_open(const char *url, struct storage **storage,
                                      char why[STORAGE_WHY_SIZE]) MUST_CHECK;
