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

/* The most statements without an answer. So their answers always fit the buffers of the sockets. */
#define POSTGRES_SENT_MAX 512

#define KEPT_TABLES_MAX 32 /* number of tables whose reads are kept */
#define READ_AHEAD_MAX 128 /* number of reads that are sent before their answers are waited for */

/* Inside storage/sql/ only: the names of the tables whose reads are kept, from 0 on; NULL after the
 * last. */
const char *kept_table_at(size_t i);

/* What a statement has to do with the tables whose results are kept. */
struct kept_use {
    uint32_t read;    /* the set of all tables that it reads, one bit for each; 0: do not keep it */
    uint32_t written; /* the set of tables that it may change */
};

/* Finds that out from the statement's text. */
struct kept_use kept_use_of(const char *text);

/* If these words are part of the server's message, they alone are the reason of the failure. */
#define POSTGRES_FENCED "another node has taken the house"

/* Connects to the database of a URL, and sets the storage's engine. If it fails, storage->why says
 * why without the URL, which may contain a password; call sql_postgres_disconnect then too. */
enum storage_result sql_postgres_connect(struct storage *storage, const char *url) MUST_CHECK;

/* Closes the connection, if there is one. */
void sql_postgres_disconnect(struct storage *storage);

/* Makes a storage that is connected to the database, whatever the database holds: no migration
 * runs. `why` describes a failure. Close *storage with storage_close in any case. */
enum storage_result sql_postgres_open(const char *url, struct storage **storage,
                                      char why[STORAGE_WHY_SIZE]) MUST_CHECK;
