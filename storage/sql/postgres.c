#include "storage/sql/postgres.h"

#include "games/macros.h"

#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libpq.so.5"

/* Finds a function of the library. POSIX makes a pointer to data of it, which C cannot convert. */
static bool find_function(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, size);
    return found != NULL;
}

#define FIND(name) &&find_function(library, #name, &functions->name, sizeof functions->name)

static bool find_functions(void *library, struct libpq *functions)
{
    return true LIBPQ_FUNCTIONS(FIND);
}

const struct libpq *libpq_load(char *why, size_t size)
{
    static struct libpq functions;
    static bool is_loaded;

    if (!is_loaded) {
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        is_loaded = library != NULL && find_functions(library, &functions);
        if (!is_loaded) {
            (void)snprintf(why, size, "PostgreSQL's library cannot be loaded: %s", dlerror());
        }
    }
    return is_loaded ? &functions : NULL;
}

#define SLOTS 16384 /* an even number; a result replaces another one if it finds no free slot */
#define ROWS_MAX 64 /* results with more rows are not kept */
#define BYTES_MAX ((size_t)32 << 20)

/* Tables that are read far more often than they change. */
static const char *const kept_tables[] = {
    "accounts",     "channel_members",
    "chat",         "connections",
    "friends",      "game_seats",
    "games",        "invitations",
    "kept_tells",   "keys",
    "meta",         "moves",
    "moves_new",    "news",
    "player_times", "ratings",
    "regards",      "reports",
    "rules",        "sanctions",
    "seat_changes", "sanction_sources",
    "table_clocks", "table_seats",
    "totp",
};

_Static_assert(ARRAY_LEN(kept_tables) <= 32, "a set of tables has 32 bits");

const char *kept_table_at(size_t i)
{
    return i < ARRAY_LEN(kept_tables) ? kept_tables[i] : NULL;
}

struct slot {
    struct kept_result *kept; /* NULL: the slot is free */
    struct kept_name name;
};

struct kept_results {
    const struct libpq *pq;
    uint64_t writes;                             /* number of writes so far */
    uint64_t written_at[ARRAY_LEN(kept_tables)]; /* the number of the last write to each table */
    size_t bytes;                                /* of all that is kept */
    size_t next_emptied;                         /* the slot to be emptied next */
    struct slot slots[SLOTS];
};

static bool is_of_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Whether the text has the word at this place, as a whole word. */
static bool has_word_at(const char *at, const char *word)
{
    const size_t len = strlen(word);

    return strncmp(at, word, len) == 0 && !is_of_word(at[len]);
}

static bool mentions(const char *text, const char *word)
{
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == text || !is_of_word(at[-1])) && has_word_at(at, word)) {
            return true;
        }
    }
    return false;
}

static size_t find_word_end(const char *at)
{
    size_t len = 0;

    while (is_of_word(at[len])) {
        len++;
    }
    return len;
}

/* Whether another table follows the one at this place, after a comma; the first may have another
 * name for the query. */
static bool is_in_list(const char *at)
{
    at += find_word_end(at);
    at += strspn(at, " ");
    at += find_word_end(at);
    return at[strspn(at, " ")] == ',';
}

/* Adds the table at this place, after FROM or JOIN, to the set. Returns false unless it is one
 * whose reads are kept. A query in brackets has a FROM of its own. */
static bool add_table(const char *at, uint32_t *tables)
{
    if (*at == '(') {
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        if (has_word_at(at, kept_tables[i])) {
            *tables |= UINT32_C(1) << i;
            return !is_in_list(at);
        }
    }
    return false;
}

/* Whether the FROM at this place is that of "IS DISTINCT FROM". */
static bool is_comparison(const char *text, const char *at)
{
    static const char distinct[] = "DISTINCT ";
    const size_t len = strlen(distinct);

    return (size_t)(at - text) >= len && strncmp(at - len, distinct, len) == 0;
}

static struct kept_use use_of_read(const char *text)
{
    static const char *const words[] = {"FROM ", "JOIN "};
    struct kept_use use = {0};
    bool is_kept = true;

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        const char *at = text;
        while (is_kept && (at = strstr(at, words[i])) != NULL) {
            is_kept = is_comparison(text, at) || add_table(at + strlen(words[i]), &use.read);
            at += strlen(words[i]);
        }
    }
    return is_kept ? use : (struct kept_use){0};
}

static struct kept_use use_of_write(const char *text)
{
    struct kept_use use = {0};

    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        use.written |= mentions(text, kept_tables[i]) ? UINT32_C(1) << i : 0;
    }
    return use;
}

struct kept_use kept_use_of(const char *text)
{
    if (strncmp(text, "ROLLBACK", strlen("ROLLBACK")) == 0) {
        return (struct kept_use){.written = UINT32_MAX};
    }
    return strncmp(text, "SELECT ", strlen("SELECT ")) == 0 ? use_of_read(text)
                                                            : use_of_write(text);
}

void kept_result_release(struct kept_result *kept)
{
    if (kept != NULL && --kept->users == 0) {
        kept->pq->PQclear(kept->result);
        free(kept);
    }
}

/* Returns NULL if there is no memory. `pq` is borrowed. */
static struct kept_results *kept_results_new(const struct libpq *pq)
{
    struct kept_results *results = calloc(1, sizeof *results);

    if (results != NULL) {
        results->pq = pq;
    }
    return results;
}

/* Forgets all results; NULL: nothing. */
static void kept_results_free(struct kept_results *results)
{
    for (size_t i = 0; results != NULL && i < SLOTS; i++) {
        kept_result_release(results->slots[i].kept);
    }
    free(results);
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

bool kept_results_name(const struct kept_results *results, const char *const *arguments, int count,
                       struct kept_name *name)
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
    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
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

struct kept_result *kept_results_find(struct kept_results *results, const struct kept_name *name)
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

struct kept_result *kept_results_keep(struct kept_results *results, const struct kept_name *name,
                                      PGresult *result)
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

void kept_results_forget(struct kept_results *results, uint32_t tables)
{
    results->writes += tables != 0;
    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        if ((tables >> i & 1) != 0) {
            results->written_at[i] = results->writes;
        }
    }
}

static void kept_results_forget_all(struct kept_results *results)
{
    kept_results_forget(results, UINT32_MAX);
}

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
    /* the key of a reference is the number of a row, which may be shown */
    const char *detail = strcmp(code, "23503") == 0
                             ? pq->PQresultErrorField(failure->answer, PG_DIAG_MESSAGE_DETAIL)
                             : NULL;
    (void)snprintf(storage->why, sizeof storage->why, "%.*s (%s)%s%s", (int)strcspn(message, "\n"),
                   message, code, detail == NULL ? "" : "; ", detail == NULL ? "" : detail);
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

PGresult **read_ahead_add(struct read_ahead *ahead, struct kept_results *results,
                          const struct kept_name *name)
{
    assert(!read_ahead_is_full(ahead));
    struct kept_result *kept = kept_results_find(results, name);
    kept_result_release(kept);
    if (kept != NULL) {
        return NULL;
    }
    ahead->reads[ahead->count].name = *name;
    ahead->reads[ahead->count].answer = NULL;
    return &ahead->reads[ahead->count++].answer;
}

void read_ahead_keep(struct read_ahead *ahead, struct kept_results *results, const struct libpq *pq)
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
