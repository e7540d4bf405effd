#pragma once

#include <libpq-fe.h>
#include <stdbool.h>

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
    DO(PQgetCopyData)                                                                              \
    DO(PQgetisnull)                                                                                \
    DO(PQgetlength)                                                                                \
    DO(PQgetResult)                                                                                \
    DO(PQgetvalue)                                                                                 \
    DO(PQhost)                                                                                     \
    DO(PQhostaddr)                                                                                 \
    DO(PQisBusy)                                                                                   \
    DO(PQnfields)                                                                                  \
    DO(PQntuples)                                                                                  \
    DO(PQpipelineSync)                                                                             \
    DO(PQport)                                                                                     \
    DO(PQputCopyData)                                                                              \
    DO(PQputCopyEnd)                                                                               \
    DO(PQresultErrorField)                                                                         \
    DO(PQresultErrorMessage)                                                                       \
    DO(PQresultMemorySize)                                                                         \
    DO(PQresultStatus)                                                                             \
    DO(PQsendPrepare)                                                                              \
    DO(PQsendQuery)                                                                                \
    DO(PQsendQueryParams)                                                                          \
    DO(PQsendQueryPrepared)                                                                        \
    DO(PQserverVersion)                                                                            \
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
