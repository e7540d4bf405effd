#include "storage/sql/postgres.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Settings of a session. The durability of a commit is a matter of its own (storage_settle).
 * The others are PostgreSQL's defaults, of which an operator may have changed some: texts and real
 * numbers would be read wrongly, long transactions would be ended, and a process of the server that
 * waits for a lock would not notice that its core has died. Compiling queries to machine
 * code (jit) takes longer than any of ours runs. */
static const char settings[] = "SET synchronous_commit = off;"
                               "SET standard_conforming_strings = on;"
                               "SET bytea_output = hex;"
                               "SET extra_float_digits = 1;"
                               "SET default_transaction_isolation = 'read committed';"
                               "SET statement_timeout = 0;"
                               "SET lock_timeout = 0;"
                               "SET idle_in_transaction_session_timeout = 0;"
                               "SET client_connection_check_interval = '1 s';"
                               "SET jit = off";

/* Parameters of the connection: an URL overrides those before NULL. A host that does not answer
 * any more is noticed after a few seconds. */
#define PARAMETERS(url)                                                                            \
    {"connect_timeout", "5"}, {"tcp_user_timeout", "5000"}, {"keepalives_idle", "2"},              \
        {"keepalives_interval", "1"}, {"keepalives_count", "3"},                                   \
        {"fallback_application_name", "trickhouse"}, {"dbname", (url)},                            \
        {"client_encoding", "UTF8"}, {NULL, NULL},

/* The server's messages may have several lines, of which the first says what has happened. */
static void note_reason(struct storage *storage, const char *reason)
{
    (void)snprintf(storage->why, sizeof storage->why, "%.*s", (int)strcspn(reason, "\n"), reason);
}

static void ignore_notice(void *context, const PGresult *notice)
{
    (void)context;
    (void)notice;
}

static bool check_url(struct storage *storage, const struct libpq *pq, const char *url)
{
    PQconninfoOption *options = pq->PQconninfoParse(url, NULL);

    if (options == NULL) {
        note_reason(storage, "the URL of the database is malformed");
        return false;
    }
    pq->PQconninfoFree(options);
    return true;
}

static PGconn *connect_to(const struct libpq *pq, const char *url)
{
    const char *const parameters[][2] = {PARAMETERS(url)};
    const char *keys[ARRAY_LEN(parameters)], *values[ARRAY_LEN(parameters)];

    for (size_t i = 0; i < ARRAY_LEN(parameters); i++) {
        keys[i] = parameters[i][0];
        values[i] = parameters[i][1];
    }
    return pq->PQconnectdbParams(keys, values, 1);
}

static bool prepare_session(struct postgres *postgres)
{
    PGresult *set = postgres->pq->PQexec(postgres->connection, settings);
    const bool is_set = postgres->pq->PQresultStatus(set) == PGRES_COMMAND_OK;

    postgres->pq->PQclear(set);
    return is_set && postgres->pq->PQenterPipelineMode(postgres->connection) == 1;
}

enum storage_result postgres_connect(struct storage *storage, const char *url)
{
    const struct libpq *pq = libpq_load(storage->why, sizeof storage->why);

    if (pq == NULL || !check_url(storage, pq, url)) {
        return STORAGE_IO;
    }
    struct postgres *postgres = calloc(1, sizeof *postgres);
    if (postgres == NULL) {
        note_reason(storage, "out of memory");
        return STORAGE_IO;
    }
    storage->postgres = postgres;
    postgres->pq = pq;
    postgres->kept = kept_results_new(pq);
    if (postgres->kept == NULL) {
        postgres->is_broken = true;
        note_reason(storage, "out of memory");
        return STORAGE_IO;
    }
    postgres->connection = connect_to(pq, url);
    if (pq->PQstatus(postgres->connection) == CONNECTION_OK && prepare_session(postgres)) {
        (void)pq->PQsetNoticeReceiver(postgres->connection, ignore_notice, NULL);
        return STORAGE_OK;
    }
    note_reason(storage, pq->PQerrorMessage(postgres->connection));
    postgres->is_broken = true;
    return STORAGE_IO;
}

void postgres_disconnect(struct storage *storage)
{
    if (storage->postgres != NULL) {
        storage->postgres->pq->PQfinish(storage->postgres->connection);
        kept_results_free(storage->postgres->kept);
        free(storage->postgres);
        storage->postgres = NULL;
    }
}

static void note_sent(struct postgres *postgres, int is_sent, PGresult **answer, char *name)
{
    postgres->is_broken |= is_sent != 1;
    if (!postgres->is_broken) {
        assert(postgres->sent_count < POSTGRES_SENT_MAX);
        postgres->sent[postgres->sent_count++] =
            (struct postgres_sent){.answer = answer, .name = name};
    }
}

void postgres_send(struct postgres *postgres, const char *text)
{
    note_sent(
        postgres,
        postgres->pq->PQsendQueryParams(postgres->connection, text, 0, NULL, NULL, NULL, NULL, 0),
        NULL, NULL);
}

void postgres_send_preparation(struct postgres *postgres, char *name, const char *text, int count,
                               const Oid *types)
{
    note_sent(postgres, postgres->pq->PQsendPrepare(postgres->connection, name, text, count, types),
              NULL, name);
}

void postgres_send_prepared(struct postgres *postgres, const char *name,
                            const struct postgres_arguments *arguments, PGresult **answer)
{
    note_sent(postgres,
              postgres->pq->PQsendQueryPrepared(postgres->connection, name, arguments->count,
                                                arguments->values, arguments->lengths,
                                                arguments->formats, 0),
              answer, NULL);
}

/* Takes the answer to one statement; returns whether the statement was carried out. Keeps the
 * first failure. */
static bool take_answer(struct postgres *postgres, size_t place, PGresult *answer,
                        struct postgres_failure *failure)
{
    const struct postgres_sent *sent = &postgres->sent[place];
    const ExecStatusType status = postgres->pq->PQresultStatus(answer);
    const bool is_done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;

    if (!is_done && sent->name != NULL) {
        sent->name[0] = '\0';
    }
    if (is_done && sent->answer != NULL) {
        *sent->answer = answer;
    } else if (!is_done && status != PGRES_PIPELINE_ABORTED && failure->answer == NULL) {
        *failure = (struct postgres_failure){.place = place, .answer = answer};
    } else {
        postgres->pq->PQclear(answer);
    }
    return is_done;
}

/* Reads the answers to all statements that were sent, up to the answer to the sync. Returns
 * whether all were carried out. */
static bool read_answers(struct postgres *postgres, struct postgres_failure *failure)
{
    bool are_done = true;

    for (size_t i = 0; i < postgres->sent_count; i++) {
        PGresult *answer = postgres->pq->PQgetResult(postgres->connection);
        if (answer == NULL) {
            postgres->is_broken = true;
            return false;
        }
        are_done = take_answer(postgres, i, answer, failure) && are_done;
        /* NULL stands between the answers of two statements */
        postgres->pq->PQclear(postgres->pq->PQgetResult(postgres->connection));
    }
    PGresult *sync = postgres->pq->PQgetResult(postgres->connection);
    postgres->is_broken = postgres->pq->PQresultStatus(sync) != PGRES_PIPELINE_SYNC;
    postgres->pq->PQclear(sync);
    /* tells libpq that nothing more is expected: PQtransactionStatus needs it */
    postgres->pq->PQclear(postgres->pq->PQgetResult(postgres->connection));
    return are_done && !postgres->is_broken;
}

bool postgres_wait(struct postgres *postgres, struct postgres_failure *failure)
{
    *failure = (struct postgres_failure){0};
    postgres->waits++;
    if (postgres->is_broken || postgres->pq->PQpipelineSync(postgres->connection) != 1) {
        postgres->is_broken = true;
        postgres->sent_count = 0;
        return false;
    }
    const bool are_done = read_answers(postgres, failure);
    postgres->sent_count = 0;
    return are_done;
}

/* The classes of codes: "PostgreSQL Error Codes" in its manual. Class 22 are values that do not fit
 * a type, class 23 are broken constraints. */
static enum storage_result translate_code(const char *code)
{
    if (code == NULL) {
        return STORAGE_IO; /* the connection has broken */
    }
    if (strcmp(code, "23505") == 0) {
        return STORAGE_TAKEN;
    }
    if (strncmp(code, "22", 2) == 0 || strncmp(code, "23", 2) == 0) {
        return STORAGE_REFUSED;
    }
    return strcmp(code, "53100") == 0 ? STORAGE_FULL : STORAGE_IO;
}

static void note_failure(struct storage *storage, const struct postgres_failure *failure)
{
    const struct libpq *pq = storage->postgres->pq;
    const char *code = pq->PQresultErrorField(failure->answer, PG_DIAG_SQLSTATE);
    const char *message = pq->PQresultErrorField(failure->answer, PG_DIAG_MESSAGE_PRIMARY);

    if (code == NULL || message == NULL) {
        note_reason(storage, pq->PQerrorMessage(storage->postgres->connection));
        return;
    }
    if (strstr(message, POSTGRES_FENCED) != NULL) {
        note_reason(storage, POSTGRES_FENCED);
        return;
    }
    (void)snprintf(storage->why, sizeof storage->why, "%.*s (%s)", (int)strcspn(message, "\n"),
                   message, code);
}

enum storage_result postgres_translate_failure(struct storage *storage,
                                               const struct postgres_failure *failure)
{
    const enum storage_result result = translate_code(
        storage->postgres->pq->PQresultErrorField(failure->answer, PG_DIAG_SQLSTATE));

    if (result != STORAGE_TAKEN) {
        note_failure(storage, failure);
    }
    return result;
}

enum storage_result postgres_fail(struct storage *storage, struct postgres_failure *failure)
{
    const enum storage_result translated = postgres_translate_failure(storage, failure);
    const enum storage_result result = translated == STORAGE_FULL ? STORAGE_FULL : STORAGE_IO;

    note_failure(storage, failure);
    storage->postgres->pq->PQclear(failure->answer);
    failure->answer = NULL;
    if (storage->failed != STORAGE_IO) {
        storage->failed = result;
    }
    postgres_roll_back(storage->postgres);
    return result;
}

bool postgres_is_in_transaction(const struct postgres *postgres)
{
    return postgres->sent_count > 0 || postgres->is_broken ||
           postgres->pq->PQtransactionStatus(postgres->connection) != PQTRANS_IDLE;
}

void postgres_roll_back(struct postgres *postgres)
{
    struct postgres_failure failure;

    kept_results_forget_all(postgres->kept);
    /* The server ignores what follows a failed statement until the wait's sync. */
    if (postgres->sent_count > 0 && !postgres_wait(postgres, &failure)) {
        postgres->pq->PQclear(failure.answer);
    }
    if (!postgres->is_broken && postgres_is_in_transaction(postgres)) {
        postgres_send(postgres, "ROLLBACK");
        if (!postgres_wait(postgres, &failure)) {
            postgres->pq->PQclear(failure.answer);
        }
    }
}

/* libpq runs several statements of one text only outside its pipeline mode. */
enum storage_result postgres_run_script(struct storage *storage, const char *text)
{
    struct postgres *postgres = storage->postgres;
    struct postgres_failure failure = {0};

    if (!postgres_wait(postgres, &failure)) {
        return postgres_fail(storage, &failure);
    }
    if (postgres->pq->PQexitPipelineMode(postgres->connection) != 1) {
        postgres->is_broken = true;
        return postgres_fail(storage, &failure);
    }
    kept_results_forget_all(postgres->kept);
    PGresult *done = postgres->pq->PQexec(postgres->connection, text);
    const ExecStatusType status = postgres->pq->PQresultStatus(done);
    postgres->is_broken = postgres->pq->PQenterPipelineMode(postgres->connection) != 1;
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        failure.answer = done;
        return postgres_fail(storage, &failure);
    }
    postgres->pq->PQclear(done);
    return STORAGE_OK;
}
