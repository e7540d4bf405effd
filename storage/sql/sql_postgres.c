#include "storage/sql/postgres.h"

#include "games/macros.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/*
 * What reads from PostgreSQL have found is kept until something is written to a table that they
 * read. The house reads the same accounts, sanctions and lines again and again while a person
 * waits, and each such read would be a round trip. What is kept is right because only this
 * connection writes to these tables: the node holds the house, and no trigger of another table
 * changes them. At most 32 MiB are kept.
 */

#define SLOTS 16384 /* an even number; a result replaces another one if it finds no free slot */
#define ROWS_MAX 64 /* results with more rows are not kept */
#define BYTES_MAX ((size_t)32 << 20)

/* A result. It lives as long as it is kept or somebody has it. */
struct kept_result {
    const struct libpq *pq;
    PGresult *result;
    size_t bytes;
    unsigned users; /* the slot, if it is kept, and everybody who has it */
};

#define KEPT_KEY_SIZE 160

/* What a run of a read is known by. */
struct kept_name {
    uint32_t tables;    /* kept_use.read */
    unsigned statement; /* a number that no other statement of the connection ever has */
    uint64_t writes;    /* the number of writes before the run */
    size_t key_len;
    char key[KEPT_KEY_SIZE]; /* the arguments */
};

struct slot {
    struct kept_result *kept; /* NULL: the slot is free */
    struct kept_name name;
};

struct kept_results {
    const struct libpq *pq;
    uint64_t writes;                      /* number of writes so far */
    uint64_t written_at[KEPT_TABLES_MAX]; /* the number of the last write to each table */
    size_t bytes;                         /* of all that is kept */
    size_t next_emptied;                  /* the slot to be emptied next */
    struct slot slots[SLOTS];
};

/* Gives a result back; NULL: nothing. */
static void kept_result_release(struct kept_result *kept)
{
    if (kept != NULL && --kept->users == 0) {
        kept->pq->PQclear(kept->result);
        free(kept);
    }
}

/* Writes the arguments as the key of a slot, each with its NUL. Returns the key's length, or 0 if
 * they are too long. */
static size_t write_key(const char *const *arguments, int count, char key[KEPT_KEY_SIZE])
{
    size_t len = 0;

    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        const size_t size = argument == NULL ? 0 : strlen(argument) + 1;
        if (len + 1 + size > KEPT_KEY_SIZE) {
            return 0;
        }
        key[len++] = argument == NULL ? 'n' : 'v';
        if (argument != NULL) {
            memcpy(&key[len], argument, size);
        }
        len += size;
    }
    return len;
}

/* Completes the name of a run that is made now, whose tables and statement are set. The arguments
 * are texts (NULL for SQL's NULL). Returns false if they are too long: then it is not kept. */
static bool kept_results_name(const struct kept_results *results, const char *const *arguments,
                              int count, struct kept_name *name)
{
    name->writes = results->writes;
    name->key_len = write_key(arguments, count, name->key);
    return name->key_len > 0 || count == 0;
}

/* FNV-1a. A result is kept in this slot or in its neighbour. */
static struct slot *find_slot(struct kept_results *results, const struct kept_name *name)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ name->statement;

    for (size_t i = 0; i < name->key_len; i++) {
        hash = (hash ^ (unsigned char)name->key[i]) * UINT64_C(1099511628211);
    }
    return &results->slots[(hash ^ hash >> 32) % SLOTS];
}

static bool is_unchanged(const struct kept_results *results, uint32_t tables, uint64_t since)
{
    for (size_t i = 0; i < KEPT_TABLES_MAX; i++) {
        if ((tables >> i & 1) != 0 && results->written_at[i] > since) {
            return false;
        }
    }
    return true;
}

static void empty_slot(struct kept_results *results, struct slot *slot)
{
    if (slot->kept != NULL) {
        results->bytes -= slot->kept->bytes;
        kept_result_release(slot->kept);
        slot->kept = NULL;
    }
}

/* Empties one slot after the other until there is room for that many bytes more. */
static void make_room(struct kept_results *results, size_t bytes)
{
    while (results->bytes > 0 && results->bytes + bytes > BYTES_MAX) {
        empty_slot(results, &results->slots[results->next_emptied]);
        results->next_emptied = (results->next_emptied + 1) % SLOTS;
    }
}

static struct slot *neighbour(struct kept_results *results, const struct slot *slot)
{
    return &results->slots[(size_t)(slot - results->slots) ^ 1];
}

/* Whether the slot has a result that is still right. */
static bool is_in_use(const struct kept_results *results, const struct slot *slot)
{
    return slot->kept != NULL && is_unchanged(results, slot->name.tables, slot->name.writes);
}

static bool has_result_of(const struct kept_results *results, const struct slot *slot,
                          const struct kept_name *name)
{
    return is_in_use(results, slot) && slot->name.statement == name->statement &&
           slot->name.key_len == name->key_len &&
           memcmp(slot->name.key, name->key, name->key_len) == 0;
}

/* Returns what an equal run has found since the last write to its tables; release it. NULL: nothing
 * is kept. */
static struct kept_result *kept_results_find(struct kept_results *results,
                                             const struct kept_name *name)
{
    struct slot *slot = find_slot(results, name);

    if (!has_result_of(results, slot, name)) {
        slot = neighbour(results, slot);
    }
    if (!has_result_of(results, slot, name)) {
        return NULL;
    }
    slot->kept->users++;
    return slot->kept;
}

/* Keeps what a run has found. Takes the result over: the caller has it until it releases what is
 * returned. NULL: there is no memory, and the result is still the caller's. */
static struct kept_result *kept_results_keep(struct kept_results *results,
                                             const struct kept_name *name, PGresult *result)
{
    struct kept_result *kept = calloc(1, sizeof *kept);

    if (kept == NULL) {
        return NULL;
    }
    *kept = (struct kept_result){.pq = results->pq,
                                 .result = result,
                                 .bytes = results->pq->PQresultMemorySize(result),
                                 .users = 1};
    if (results->pq->PQntuples(result) <= ROWS_MAX) {
        struct slot *slot = find_slot(results, name);
        slot = is_in_use(results, slot) ? neighbour(results, slot) : slot;
        empty_slot(results, slot);
        make_room(results, kept->bytes);
        results->bytes += kept->bytes;
        slot->kept = kept;
        slot->name = *name;
        kept->users++;
    }
    return kept;
}

/* Forgets what was found in these tables. */
static void kept_results_forget(struct kept_results *results, uint32_t tables)
{
    results->writes += tables != 0;
    for (size_t i = 0; i < KEPT_TABLES_MAX; i++) {
        if ((tables >> i & 1) != 0) {
            results->written_at[i] = results->writes;
        }
    }
}

/* Reads that PostgreSQL answers together (storage_read_ahead_begin). Each is sent without waiting;
 * once their answers have arrived, they are kept. */
struct read_ahead {
    bool is_on; /* between storage_read_ahead_begin and _end */
    size_t count;
    struct {
        struct kept_name name;
        PGresult *answer; /* NULL: it has not arrived, or the read has failed */
    } reads[READ_AHEAD_MAX];
};

/* Adds a read. Returns where its answer will be put; NULL if it need not be sent, because its
 * result is kept already. */
static PGresult **read_ahead_add(struct read_ahead *ahead, struct kept_results *results,
                                 const struct kept_name *name)
{
    struct kept_result *kept = kept_results_find(results, name);
    kept_result_release(kept);
    if (kept != NULL) {
        return NULL;
    }
    ahead->reads[ahead->count].name = *name;
    ahead->reads[ahead->count].answer = NULL;
    return &ahead->reads[ahead->count++].answer;
}

/* Keeps all answers, and forgets the reads. */
static void read_ahead_keep(struct read_ahead *ahead, struct kept_results *results,
                            const struct libpq *pq)
{
    for (size_t i = 0; i < ahead->count; i++) {
        PGresult *answer = ahead->reads[i].answer;
        struct kept_result *kept =
            answer == NULL ? NULL : kept_results_keep(results, &ahead->reads[i].name, answer);
        if (kept != NULL) {
            kept_result_release(kept);
        } else {
            pq->PQclear(answer);
        }
    }
    ahead->count = 0;
}

/*
 * The connection to a PostgreSQL database. Statements are sent without waiting for the answers to
 * those before them (libpq's pipeline mode); one wait then reads all answers. So a wait costs one
 * round trip, however many statements it covers.
 */

struct postgres {
    const struct libpq *pq;
    PGconn *connection;
    struct kept_results kept;
    struct read_ahead ahead;
    bool is_broken;    /* nothing more can be sent */
    unsigned names;    /* number of statements that were prepared so far */
    unsigned compiled; /* number of statements that were compiled so far */
    size_t sent_count; /* number of statements without an answer */
    struct postgres_sent {
        PGresult **answer; /* receives the answer, which the owner clears; NULL: not needed */
        char *name;        /* of the statement that this one prepares; NULL: it prepares none */
    } sent[POSTGRES_SENT_MAX];
};

/*
 * PostgreSQL as the engine of sql.h. Texts and results travel as text. A result is fetched whole,
 * so that other statements can run while its rows are read.
 *
 * In PostgreSQL any failure ends the transaction, but a write that the database refuses must leave
 * it as it was. So each write that is waited for has a savepoint of its own, which costs no further
 * round trip. A deferred write (sql_run_deferred) has none.
 */

#define ARGUMENTS_MAX 40 /* also the most columns up to the last one of bytes */
#define NUMBER_SIZE 32
#define NAME_SIZE 16

/* PostgreSQL's numbers of its types (pg_type.h in its sources). */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_INT8 = 20,
    TYPE_INT4 = 23,
    TYPE_TEXT = 25,
    TYPE_FLOAT8 = 701,
    TYPE_NUMERIC = 1700, /* of sums of whole numbers */
};

struct sql_statement {
    const struct libpq *pq;
    const char *source;   /* the text as it stands in our code */
    char *text;           /* the text as PostgreSQL takes it */
    char name[NAME_SIZE]; /* under which the server knows it; "": not prepared yet */
    bool is_write;
    bool returns_id;
    struct kept_use use;
    unsigned number; /* of this statement in the order of compilation */
    int argument_count;
    Oid types[ARGUMENTS_MAX];
    Oid prepared_types[ARGUMENTS_MAX]; /* with which the server knows the statement */
    const char *values[ARGUMENTS_MAX];
    int lengths[ARGUMENTS_MAX];
    int formats[ARGUMENTS_MAX];
    char numbers[ARGUMENTS_MAX][NUMBER_SIZE];
    PGresult *result;         /* NULL: it is not running */
    struct kept_result *kept; /* that holds `result`; NULL: the statement owns it */
    int row;
    void *bytes[ARGUMENTS_MAX]; /* the columns that were read as bytes */
};

/* A failure that a wait has found. */
struct postgres_failure {
    size_t place;     /* of the statement among those sent since the last wait, from 0 */
    PGresult *answer; /* owned; NULL: the connection has broken */
};

static const struct sql_engine sql_postgres;

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

/* The URL overrides the parameters before it. A host that does not answer any more is noticed after
 * a few seconds. */
static PGconn *connect_to(const struct libpq *pq, const char *url)
{
    static const char *const keys[] = {"connect_timeout",
                                       "tcp_user_timeout",
                                       "keepalives_idle",
                                       "keepalives_interval",
                                       "keepalives_count",
                                       "fallback_application_name",
                                       "dbname",
                                       "client_encoding",
                                       NULL};
    const char *const values[] = {"5", "5000", "2", "1", "3", "trickhouse", url, "UTF8", NULL};

    return pq->PQconnectdbParams(keys, values, 1);
}

static bool prepare_session(struct postgres *postgres)
{
    PGresult *set = postgres->pq->PQexec(postgres->connection, settings);
    const bool is_set = postgres->pq->PQresultStatus(set) == PGRES_COMMAND_OK;

    postgres->pq->PQclear(set);
    return is_set && postgres->pq->PQenterPipelineMode(postgres->connection) == 1;
}

enum storage_result sql_postgres_connect(struct storage *storage, const char *url)
{
    storage->engine = &sql_postgres;
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
    postgres->kept.pq = pq;
    postgres->connection = connect_to(pq, url);
    if (pq->PQstatus(postgres->connection) == CONNECTION_OK && prepare_session(postgres)) {
        (void)pq->PQsetNoticeReceiver(postgres->connection, ignore_notice, NULL);
        return STORAGE_OK;
    }
    note_reason(storage, pq->PQerrorMessage(postgres->connection));
    postgres->is_broken = true;
    return STORAGE_IO;
}

void sql_postgres_disconnect(struct storage *storage)
{
    if (storage->postgres != NULL) {
        storage->postgres->pq->PQfinish(storage->postgres->connection);
        for (size_t i = 0; i < SLOTS; i++) {
            kept_result_release(storage->postgres->kept.slots[i].kept);
        }
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

/* Sends a statement without arguments, which writes to no table. */
static void send_text(struct postgres *postgres, const char *text)
{
    note_sent(
        postgres,
        postgres->pq->PQsendQueryParams(postgres->connection, text, 0, NULL, NULL, NULL, NULL, 0),
        NULL, NULL);
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

/* Waits for the answers to all that was sent. Returns false after a failure: the server has then
 * carried out none of the statements after the one that failed. */
MUST_CHECK static bool wait_for_answers(struct storage *storage, struct postgres_failure *failure)
{
    struct postgres *postgres = storage->postgres;

    *failure = (struct postgres_failure){0};
    storage->round_trips++;
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
    /* the key of a reference is the number of a row, which may be shown */
    const char *detail = strcmp(code, "23503") == 0
                             ? pq->PQresultErrorField(failure->answer, PG_DIAG_MESSAGE_DETAIL)
                             : NULL;
    (void)snprintf(storage->why, sizeof storage->why, "%.*s (%s)%s%s", (int)strcspn(message, "\n"),
                   message, code, detail == NULL ? "" : "; ", detail == NULL ? "" : detail);
}

/* Translates a failure into the result for callers. Keeps its description in storage->why, unless
 * the result is STORAGE_TAKEN. */
static enum storage_result translate_failure(struct storage *storage,
                                             const struct postgres_failure *failure)
{
    const enum storage_result result = translate_code(
        storage->postgres->pq->PQresultErrorField(failure->answer, PG_DIAG_SQLSTATE));

    if (result != STORAGE_TAKEN) {
        note_failure(storage, failure);
    }
    return result;
}

static bool is_in_transaction(const struct storage *storage)
{
    const struct postgres *postgres = storage->postgres;

    return postgres->sent_count > 0 || postgres->is_broken ||
           postgres->pq->PQtransactionStatus(postgres->connection) != PQTRANS_IDLE;
}

/* On a broken connection the transaction stays open. */
static void roll_back(struct storage *storage)
{
    struct postgres *postgres = storage->postgres;
    struct postgres_failure failure;

    kept_results_forget(&postgres->kept, UINT32_MAX);
    /* The server ignores what follows a failed statement until the wait's sync. */
    if (postgres->sent_count > 0 && !wait_for_answers(storage, &failure)) {
        postgres->pq->PQclear(failure.answer);
    }
    if (!postgres->is_broken && is_in_transaction(storage)) {
        send_text(postgres, "ROLLBACK");
        if (!wait_for_answers(storage, &failure)) {
            postgres->pq->PQclear(failure.answer);
        }
    }
}

/* Ends the transaction in which something has failed: rolls it back, keeps the result in
 * storage->failed, releases *failure and returns the result. */
static enum storage_result fail(struct storage *storage, struct postgres_failure *failure)
{
    const enum storage_result translated = translate_failure(storage, failure);
    const enum storage_result result = translated == STORAGE_FULL ? STORAGE_FULL : STORAGE_IO;

    note_failure(storage, failure);
    storage->postgres->pq->PQclear(failure->answer);
    failure->answer = NULL;
    if (storage->failed != STORAGE_IO) {
        storage->failed = result;
    }
    roll_back(storage);
    return result;
}

/* libpq runs several statements of one text only outside its pipeline mode. */
static enum storage_result run_script(struct storage *storage, const char *text)
{
    struct postgres *postgres = storage->postgres;
    struct postgres_failure failure = {0};

    if (!wait_for_answers(storage, &failure)) {
        return fail(storage, &failure);
    }
    if (postgres->pq->PQexitPipelineMode(postgres->connection) != 1) {
        postgres->is_broken = true;
        return fail(storage, &failure);
    }
    kept_results_forget(&postgres->kept, UINT32_MAX);
    PGresult *done = postgres->pq->PQexec(postgres->connection, text);
    const ExecStatusType status = postgres->pq->PQresultStatus(done);
    postgres->is_broken = postgres->pq->PQenterPipelineMode(postgres->connection) != 1;
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        failure.answer = done;
        return fail(storage, &failure);
    }
    postgres->pq->PQclear(done);
    return STORAGE_OK;
}

/* Writes the text with $N for each ?N. A plain question mark has the number after the highest one
 * before it, as in SQLite. */
static void write_numbered(FILE *out, const char *text)
{
    bool is_quoted = false;
    int number = 0;

    for (; *text != '\0'; text++) {
        is_quoted = is_quoted != (*text == '\'');
        if (*text != '?' || is_quoted) {
            fputc(*text, out);
        } else if (isdigit((unsigned char)text[1])) {
            const int given = (int)strtol(&text[1], NULL, 10);
            number = given > number ? given : number;
            fputc('$', out);
        } else {
            fprintf(out, "$%d", ++number);
        }
    }
}

/* Writes the text of a statement as PostgreSQL takes it. An insertion whose first column is a new
 * number says so by NULL (ROW_INSERT_NEW), for which PostgreSQL wants DEFAULT. */
static bool write_text(struct sql_statement *statement)
{
    static const char null[] = "VALUES (NULL,";
    const char *new_number = strstr(statement->source, null);
    const char *columns = strchr(statement->source, '(');
    size_t size;
    FILE *out = open_memstream(&statement->text, &size);

    if (out == NULL) {
        return false;
    }
    statement->returns_id = new_number != NULL && columns != NULL;
    if (statement->returns_id) {
        fprintf(out, "%.*sVALUES (DEFAULT,", (int)(new_number - statement->source),
                statement->source);
        write_numbered(out, new_number + strlen(null));
        fprintf(out, " RETURNING %.*s", (int)strcspn(columns + 1, ", "), columns + 1);
    } else {
        write_numbered(out, statement->source);
    }
    return fclose(out) == 0;
}

static void reset(struct sql_statement *statement)
{
    if (statement->kept != NULL) {
        kept_result_release(statement->kept);
    } else {
        statement->pq->PQclear(statement->result);
    }
    statement->kept = NULL;
    statement->result = NULL;
}

static void forget(struct sql_statement *statement)
{
    if (statement != NULL) {
        reset(statement);
        for (size_t i = 0; i < ARGUMENTS_MAX; i++) {
            statement->pq->PQfreemem(statement->bytes[i]);
        }
        free(statement->text);
        free(statement);
    }
}

static enum storage_result compile(struct storage *storage, const char *text, bool is_write,
                                   struct sql_statement **statement)
{
    *statement = calloc(1, sizeof **statement);
    if (*statement != NULL) {
        (*statement)->pq = storage->postgres->pq;
        (*statement)->source = text;
        (*statement)->is_write = is_write;
        (*statement)->use = kept_use_of(text);
        (*statement)->number = storage->postgres->compiled++;
        if (write_text(*statement)) {
            return STORAGE_OK;
        }
    }
    (void)snprintf(storage->why, sizeof storage->why, "out of memory");
    forget(*statement);
    *statement = NULL;
    return STORAGE_IO;
}

static bool is_running(struct sql_statement *statement)
{
    return statement->result != NULL;
}

/* Texts travel to the server with a NUL at their end. */
static bool is_utf8(const char *text, size_t len)
{
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    utf8proc_int32_t character = 0;

    for (size_t at = 0; at < len;) {
        const utf8proc_ssize_t used =
            utf8proc_iterate(&bytes[at], (utf8proc_ssize_t)(len - at), &character);
        if (used <= 0 || character == 0) {
            return false;
        }
        at += (size_t)used;
    }
    return true;
}

static enum storage_result bind(struct storage *storage, struct sql_statement *statement, int place,
                                const struct sql_value *value)
{
    /* all NULLs of the house are in place of the number of a row */
    static const Oid types[] = {[SQL_KIND_NULL] = TYPE_INT8,
                                [SQL_KIND_INT] = TYPE_INT8,
                                [SQL_KIND_REAL] = TYPE_FLOAT8,
                                [SQL_KIND_TEXT] = TYPE_TEXT,
                                [SQL_KIND_BYTES] = TYPE_BYTEA};
    const int i = place - 1;
    char *number = statement->numbers[i];

    assert(place <= ARGUMENTS_MAX);
    statement->argument_count =
        place > statement->argument_count ? place : statement->argument_count;
    statement->types[i] = types[value->kind];
    statement->values[i] = value->bytes;
    statement->lengths[i] = (int)value->len;
    statement->formats[i] = value->kind == SQL_KIND_BYTES;
    if (value->kind == SQL_KIND_INT) {
        (void)snprintf(number, NUMBER_SIZE, "%" PRId64, value->number);
        statement->values[i] = number;
    } else if (value->kind == SQL_KIND_REAL) {
        (void)snprintf(number, NUMBER_SIZE, "%.17g", value->real);
        statement->values[i] = number;
    } else if (value->kind == SQL_KIND_BYTES) {
        statement->use.read = 0; /* what is kept is found by arguments that are texts */
    } else if (value->kind == SQL_KIND_TEXT && !is_utf8(value->bytes, value->len)) {
        return storage_fail(storage->why, STORAGE_REFUSED, "a text is no valid UTF-8");
    }
    return STORAGE_OK;
}

/* Sends the statement with its arguments; before its first run, and when other types of arguments
 * are bound than before, also its text. */
static void send_statement(struct postgres *postgres, struct sql_statement *statement,
                           PGresult **answer)
{
    const int count = statement->argument_count;

    kept_results_forget(&postgres->kept, statement->use.written);
    if (statement->name[0] == '\0' ||
        memcmp(statement->types, statement->prepared_types, sizeof statement->types) != 0) {
        memcpy(statement->prepared_types, statement->types, sizeof statement->types);
        (void)snprintf(statement->name, sizeof statement->name, "s%u", postgres->names++);
        note_sent(postgres,
                  postgres->pq->PQsendPrepare(postgres->connection, statement->name,
                                              statement->text, count, statement->types),
                  NULL, statement->name);
    }
    note_sent(postgres,
              postgres->pq->PQsendQueryPrepared(postgres->connection, statement->name, count,
                                                statement->values, statement->lengths,
                                                statement->formats, 0),
              answer, NULL);
}

static void note_result(struct storage *storage, const struct sql_statement *statement)
{
    const bool has_id = statement->returns_id && statement->pq->PQntuples(statement->result) == 1;

    storage->changes = strtoll(statement->pq->PQcmdTuples(statement->result), NULL, 10);
    storage->last_id =
        has_id ? strtoll(statement->pq->PQgetvalue(statement->result, 0, 0), NULL, 10) : 0;
}

/* Handles the failure of the statement that has a savepoint: goes back to it if only the statement
 * was refused. */
static enum storage_result undo_statement(struct storage *storage, struct postgres_failure *failure)
{
    struct postgres *postgres = storage->postgres;
    const enum storage_result result = translate_failure(storage, failure);

    if (result != STORAGE_TAKEN && result != STORAGE_REFUSED) {
        return fail(storage, failure);
    }
    postgres->pq->PQclear(failure->answer);
    send_text(postgres, "ROLLBACK TO statement");
    send_text(postgres, "RELEASE statement");
    return wait_for_answers(storage, failure) ? result : fail(storage, failure);
}

/* Runs the statement and waits for its result. */
static enum storage_result run(struct storage *storage, struct sql_statement *statement)
{
    struct postgres *postgres = storage->postgres;
    struct postgres_failure failure;

    if (statement->is_write) {
        send_text(postgres, "SAVEPOINT statement");
    }
    const size_t first = postgres->sent_count;
    send_statement(postgres, statement, &statement->result);
    const size_t end = postgres->sent_count;
    if (statement->is_write) {
        send_text(postgres, "RELEASE statement");
    }
    if (!wait_for_answers(storage, &failure)) {
        return statement->is_write && failure.place >= first && failure.place < end
                   ? undo_statement(storage, &failure)
                   : fail(storage, &failure);
    }
    statement->row = -1;
    note_result(storage, statement);
    return STORAGE_OK;
}

/* A deferred write sends up to two statements. Up to four belong to the statement that waits after
 * it. */
#define ROOM_TO_DEFER 6

static enum storage_result defer(struct storage *storage, struct sql_statement *statement)
{
    struct postgres *postgres = storage->postgres;
    struct postgres_failure failure;

    if (postgres->sent_count + ROOM_TO_DEFER > POSTGRES_SENT_MAX &&
        !wait_for_answers(storage, &failure)) {
        return fail(storage, &failure);
    }
    send_statement(postgres, statement, NULL);
    return STORAGE_OK;
}

/* Returns false if the result of this run cannot be kept. */
static bool name_run(const struct postgres *postgres, const struct sql_statement *statement,
                     struct kept_name *name)
{
    name->tables = statement->use.read;
    name->statement = statement->number;
    return statement->use.read != 0 &&
           kept_results_name(&postgres->kept, statement->values, statement->argument_count, name);
}

/* Runs a read, whose result is kept if it can be. */
static enum storage_result run_kept(struct storage *storage, struct sql_statement *statement)
{
    struct kept_results *results = &storage->postgres->kept;
    struct kept_name name;

    if (!name_run(storage->postgres, statement, &name)) {
        return run(storage, statement);
    }
    statement->kept = kept_results_find(results, &name);
    if (statement->kept != NULL) {
        statement->result = statement->kept->result;
        statement->row = -1;
        return STORAGE_OK;
    }
    RETURN_FAILURE(run(storage, statement));
    statement->kept = kept_results_keep(results, &name, statement->result);
    return STORAGE_OK;
}

/* Waits for the answers to all that was read ahead so far. */
static enum storage_result take_answers_ahead(struct storage *storage)
{
    struct postgres *postgres = storage->postgres;
    struct postgres_failure failure;
    const bool is_good = wait_for_answers(storage, &failure);

    read_ahead_keep(&postgres->ahead, &postgres->kept, postgres->pq);
    return is_good ? STORAGE_OK : fail(storage, &failure);
}

static enum storage_result make_room_ahead(struct storage *storage)
{
    const struct postgres *postgres = storage->postgres;
    const bool has_room = postgres->ahead.count < READ_AHEAD_MAX &&
                          postgres->sent_count + ROOM_TO_DEFER <= POSTGRES_SENT_MAX;

    return has_room ? STORAGE_OK : take_answers_ahead(storage);
}

/* Sends a read whose result will be kept. */
static enum storage_result send_ahead(struct storage *storage, struct sql_statement *statement)
{
    struct postgres *postgres = storage->postgres;
    struct kept_name name;

    if (!name_run(postgres, statement, &name)) {
        return STORAGE_OK;
    }
    RETURN_FAILURE(make_room_ahead(storage));
    PGresult **answer = read_ahead_add(&postgres->ahead, &postgres->kept, &name);
    if (answer != NULL) {
        send_statement(postgres, statement, answer);
    }
    return STORAGE_OK;
}

static void begin_read_ahead(struct storage *storage)
{
    storage->postgres->ahead.is_on = true;
}

static enum storage_result end_read_ahead(struct storage *storage)
{
    storage->postgres->ahead.is_on = false;
    return storage->postgres->ahead.count == 0 ? STORAGE_OK : take_answers_ahead(storage);
}

static enum sql_step step(struct storage *storage, struct sql_statement *statement,
                          enum storage_result *result)
{
    if (statement->result == NULL && storage->postgres->ahead.is_on && !statement->is_write) {
        *result = send_ahead(storage, statement);
        return *result == STORAGE_OK ? SQL_STEP_DONE : SQL_STEP_FAILED;
    }
    if (statement->result == NULL) {
        *result = run_kept(storage, statement);
    }
    if (*result != STORAGE_OK) {
        reset(statement);
        return SQL_STEP_FAILED;
    }
    statement->row++;
    return statement->row < statement->pq->PQntuples(statement->result) ? SQL_STEP_ROW
                                                                        : SQL_STEP_DONE;
}

static const char *borrow_text(struct sql_statement *statement, int column)
{
    return statement->pq->PQgetvalue(statement->result, statement->row, column);
}

static int count_columns(struct sql_statement *statement)
{
    return statement->pq->PQnfields(statement->result);
}

static const char *get_column_name(struct sql_statement *statement, int column)
{
    return statement->pq->PQfname(statement->result, column);
}

/* A truth is "t" or "f". */
static void read_column(struct sql_statement *statement, int column, struct sql_value *value)
{
    const char *text = borrow_text(statement, column);
    const Oid type = statement->pq->PQftype(statement->result, column);

    if (statement->pq->PQgetisnull(statement->result, statement->row, column)) {
        return;
    }
    switch (type) {
    case TYPE_BOOL:
        *value = SQL_INT(text[0] == 't');
        break;
    case TYPE_INT8:
    case TYPE_INT4:
        *value = SQL_INT(strtoll(text, NULL, 10));
        break;
    case TYPE_NUMERIC:
    case TYPE_FLOAT8:
        *value = type == TYPE_NUMERIC && strchr(text, '.') == NULL
                     ? SQL_INT(strtoll(text, NULL, 10))
                     : SQL_REAL(strtod(text, NULL));
        break;
    case TYPE_BYTEA:
        assert(column < ARGUMENTS_MAX);
        statement->pq->PQfreemem(statement->bytes[column]);
        statement->bytes[column] =
            statement->pq->PQunescapeBytea((const unsigned char *)text, &value->len);
        value->kind = SQL_KIND_BYTES;
        value->bytes = statement->bytes[column];
        break;
    default:
        value->kind = SQL_KIND_TEXT;
        value->bytes = text;
        value->len = strlen(text);
        break;
    }
}

static const struct sql_engine sql_postgres = {
    .compile = compile,
    .forget = forget,
    .is_running = is_running,
    .bind = bind,
    .defer = defer,
    .step = step,
    .reset = reset,
    .count_columns = count_columns,
    .column_name = get_column_name,
    .read = read_column,
    .borrow_text = borrow_text,
    .begin = "BEGIN",
    /* of hashes, because PostgreSQL would compress a text that repeats itself */
    .take_room = "INSERT INTO meta (name, value) SELECT 'room', string_agg(md5(n::text), '')"
                 " FROM generate_series(1, 8192) n"
                 " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    .is_in_transaction = is_in_transaction,
    .roll_back = roll_back,
    .run_script = run_script,
    .read_ahead_begin = begin_read_ahead,
    .read_ahead_end = end_read_ahead,
};

enum storage_result sql_postgres_open(const char *url, struct storage **storage,
                                      char why[STORAGE_WHY_SIZE])
{
    *storage = calloc(1, sizeof **storage);
    if (*storage == NULL) {
        abort(); /* out of memory */
    }
    const enum storage_result result = sql_postgres_connect(*storage, url);
    return result == STORAGE_OK ? result : storage_fail(why, result, "%s", (*storage)->why);
}
