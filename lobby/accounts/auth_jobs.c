#include "lobby/accounts/auth_jobs.h"

#include "lobby/accounts/entry.h"
#include "lobby/accounts/entry_state.h"
#include "lobby/accounts/security_news.h"
#include "lobby/accounts/sign_up.h"
#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/journal.h"
#include "lobby/house/memory.h"
#include "lobby/house/messages.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/source.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/person_journal.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/backoff.h"
#include "lobby/sanctions/step_up.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An Argon2id hash of random bytes, with the cost of all others: nothing matches it. */
static const char *const auth_dummy_hash = "$argon2id$v=19$m=65536,t=3,p=1$lqNjsLoOI5eT0gEomX8IVQ$"
                                           "KPS5EsbFHLBYdcyW27kqdUaG+MyIIi7cr/ZUFu2pmA8";

enum auth_purpose {
    AUTH_SIGN_IN,
    AUTH_SIGN_UP,
    AUTH_OLD_PASSWORD, /* then AUTH_NEW_PASSWORD */
    AUTH_NEW_PASSWORD,
    AUTH_PROOF,
};

struct auth_job {
    int64_t id;
    enum auth_purpose purpose;
    int64_t conn;
    int64_t request;
    int64_t begun_ms;
    int64_t worker; /* its connection, 0 while waiting */
    char name[STORAGE_NAME_SIZE];
    char guesser[STORAGE_NAME_SIZE]; /* the name that waits after a wrong try (backoff.h); "": none
                                      */
    char source[STORAGE_ADDRESS_SIZE];
    char hash[STORAGE_HASH_SIZE]; /* "": hash the password; else check it against this */
    char password[LIMIT_PASSWORD_BYTES + 1];
    char new_password[LIMIT_PASSWORD_BYTES + 1];
    struct auth_proof proof; /* of AUTH_PROOF */
    TAILQ_ENTRY(auth_job) in_list;
};

TAILQ_HEAD(auth_job_list, auth_job);

struct auth {
    struct auth_job_list jobs; /* oldest first */
    int64_t job_last;          /* the latest job's number; ascending */
    bool was_new_password;     /* the kind of the last job handed out */
};

static struct auth *auth_of(const struct house *house)
{
    return PART_STATE(house, auth);
}

/* Of a worker's connection. */
struct auth_worker {
    int64_t job; /* its current job; 0: idle */
};

static struct auth_worker *worker_of(const struct conn *conn)
{
    return CONN_STATE(conn, auth);
}

static void auth_begin(struct house *house)
{
    TAILQ_INIT(&auth_of(house)->jobs);
}

/* Passwords do not outlive their job. */
static void auth_job_wipe(struct auth_job *job)
{
    sodium_memzero(job, sizeof(*job));
    free(job);
}

static void auth_job_free(struct house *house, struct auth_job *job)
{
    TAILQ_REMOVE(&auth_of(house)->jobs, job, in_list);
    auth_job_wipe(job);
}

/* An authenticator code, and the secret to check it with. */
static json_t *auth_code_message(const struct house *house, const struct auth_job *job)
{
    return json_pack("{s:s,s:I,s:s,s:s,s:I}", "t", "totp", "job", (json_int_t)job->id, "secret",
                     job->proof.secret, "code", job->password, "at_s",
                     (json_int_t)(house->now_ms / 1000));
}

static void auth_job_give(struct house *house, struct auth_job *job, struct conn *worker)
{
    job->worker = worker->id;
    worker_of(worker)->job = job->id;
    if (job->proof.secret[0] != '\0') {
        conn_push(house, worker, auth_code_message(house, job));
        return;
    }
    json_t *message = json_pack("{s:s,s:I,s:s}", "t", job->hash[0] == '\0' ? "hash" : "check",
                                "job", (json_int_t)job->id, "password", job->password);
    if (job->hash[0] != '\0') {
        (void)json_object_set_new(message, "hash", json_string(job->hash));
    }
    conn_push(house, worker, message);
}

static struct conn *auth_free_worker(struct house *house)
{
    struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        if (conn->peer == PEER_AUTH && conn->phase == PHASE_IN && worker_of(conn)->job == 0 &&
            !conn->awaits_hello) {
            return conn;
        }
    }
    return NULL;
}

/* True for jobs that set a new password: they queue apart from sign-ins. */
static bool auth_is_new_password(const struct auth_job *job)
{
    return job->purpose == AUTH_SIGN_UP || job->purpose == AUTH_OLD_PASSWORD ||
           job->purpose == AUTH_NEW_PASSWORD;
}

/* The next job: the oldest waiting one of the other kind than the job before, else the oldest
 * waiting one. NULL when none waits. */
static struct auth_job *auth_next_job(const struct house *house)
{
    struct auth_job *first = NULL;
    struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &auth_of(house)->jobs, in_list)
    {
        bool is_turn = auth_is_new_password(job) != auth_of(house)->was_new_password;
        if (job->worker == 0 && is_turn) {
            return job;
        }
        first = first == NULL && job->worker == 0 ? job : first;
    }
    return first;
}

static void auth_give_jobs(struct house *house)
{
    struct conn *worker = NULL;
    struct auth_job *job = NULL;
    while ((job = auth_next_job(house)) != NULL && (worker = auth_free_worker(house)) != NULL) {
        auth_of(house)->was_new_password = auth_is_new_password(job);
        auth_job_give(house, job, worker);
    }
}

/* The name under which wrong confirmations of an account are counted. It contains a blank, so it
 * never equals a user's name. */
static void auth_confirmer(int64_t account, char guesser[STORAGE_NAME_SIZE])
{
    (void)snprintf(guesser, STORAGE_NAME_SIZE, "confirm %" PRId64, account);
}

static bool auth_is_same_source(const struct house *house, const struct auth_job *job,
                                const char *source)
{
    bool is_free = source_is_local(source) && !house->config.door_limit_loopback;
    return !is_free && strcmp(job->source, source) == 0;
}

/* True while this connection, its source or the guesser has a job. */
static bool auth_has_job(const struct house *house, const struct conn *conn, const char *guesser)
{
    const struct auth_job *job = NULL;
    char source[STORAGE_ADDRESS_SIZE];
    source_of(conn->address, source);
    TAILQ_FOREACH(job, &auth_of(house)->jobs, in_list)
    {
        bool is_guess = guesser[0] != '\0' && strcmp(job->guesser, guesser) == 0;
        if (job->conn == conn->id || is_guess || auth_is_same_source(house, job, source)) {
            return true;
        }
    }
    return false;
}

/* True when there is room for the job that this connection wants; else the request is answered. */
static bool auth_has_room(const struct request *request, const struct auth_job *wanted)
{
    struct house *house = request->house;
    size_t waiting = 0;
    const struct auth_job *job = NULL;
    if (auth_has_job(house, request->conn, wanted->guesser)) {
        answer_no(request, "busy",
                  _("The password before is still being looked at: try again in a moment."));
        return false;
    }
    TAILQ_FOREACH(job, &auth_of(house)->jobs, in_list)
    {
        waiting += job->worker == 0 && auth_is_new_password(job) == auth_is_new_password(wanted);
    }
    if (waiting < house->config.limits_password_queue) {
        return true;
    }
    answer_no(request, "busy",
              _("Too many people are signing in right now: try again in a few seconds."));
    return false;
}

/* True when the guesser may try now; else the request is answered. */
static bool auth_may_try(const struct request *request, const char *guesser)
{
    int64_t wait_s = backoff_wait_s(request->house, guesser);
    if (wait_s == 0) {
        return true;
    }
    bool is_name = strchr(guesser, ' ') == NULL;
    answer_wait_say(request, wait_s,
                    is_name ? _("After a wrong password that name has to wait: try again in %d s.")
                            : _("After a wrong try comes a pause: %d s more."),
                    (int)wait_s);
    return false;
}

/* Queues and numbers a copy of the job. NULL, with the request answered, when it cannot run now. */
static struct auth_job *auth_job_new(const struct request *request, const struct auth_job *wanted)
{
    struct house *house = request->house;
    if (!auth_has_room(request, wanted)) {
        return NULL;
    }
    struct auth_job *job = memory_new(sizeof(*job));
    *job = *wanted;
    job->id = ++auth_of(house)->job_last;
    job->conn = request->conn->id;
    source_of(request->conn->address, job->source);
    job->request = request->id;
    job->begun_ms = house->now_ms;
    TAILQ_INSERT_TAIL(&auth_of(house)->jobs, job, in_list);
    return job;
}

bool auth_may_guess(const struct request *request, const char *name)
{
    struct house *house = request->house;
    struct auth_job wanted = {.purpose = AUTH_SIGN_IN};
    (void)snprintf(wanted.guesser, sizeof(wanted.guesser), "%s", name);
    if (!auth_may_try(request, name)) {
        struct storage_account account = {0};
        bool is_account = stored(house, storage_account_by_name(house->storage, name, &account));
        journal_denied(house, request->conn, "password", is_account ? account.name : NULL, "wait");
        return false;
    }
    return auth_has_room(request, &wanted);
}

void auth_check_sign_in(const struct request *request, const char *name, const char *password)
{
    struct house *house = request->house;
    struct auth_job wanted = {.purpose = AUTH_SIGN_IN};
    (void)snprintf(wanted.name, sizeof(wanted.name), "%s", name);
    (void)snprintf(wanted.guesser, sizeof(wanted.guesser), "%s", name);
    struct auth_job *job = auth_job_new(request, &wanted);
    if (job == NULL) {
        return;
    }
    struct storage_account account = {0};
    bool is_known = stored(house, storage_account_by_name(house->storage, name, &account));
    bool has_hash = is_known && account.password_hash[0] != '\0';
    (void)snprintf(job->hash, sizeof(job->hash), "%s",
                   has_hash ? account.password_hash : auth_dummy_hash);
    (void)snprintf(job->password, sizeof(job->password), "%s", password);
    auth_give_jobs(house);
}

void auth_hash_sign_up(const struct request *request, const char *name, const char *password)
{
    const struct auth_job wanted = {.purpose = AUTH_SIGN_UP};
    struct auth_job *job = auth_job_new(request, &wanted);
    if (job != NULL) {
        (void)snprintf(job->name, sizeof(job->name), "%s", name);
        (void)snprintf(job->password, sizeof(job->password), "%s", password);
        auth_give_jobs(request->house);
    }
}

void auth_change_password(const struct request *request, const char *old, const char *password)
{
    struct house *house = request->house;
    struct storage_account account;
    const struct person *person = request->conn->person;
    struct auth_job wanted = {.purpose = AUTH_NEW_PASSWORD};
    auth_confirmer(person->account, wanted.guesser);
    if (!stored(house, storage_account_by_id(house->storage, person->account, &account))) {
        answer_no(request, "unknown", _("This account is gone: sign in again."));
        return;
    }
    bool has_old = account.password_hash[0] != '\0' && !entry_conn(request->conn)->is_recovered;
    wanted.purpose = has_old ? AUTH_OLD_PASSWORD : AUTH_NEW_PASSWORD;
    if (has_old && !auth_may_try(request, wanted.guesser)) {
        return;
    }
    struct auth_job *job = auth_job_new(request, &wanted);
    if (job == NULL) {
        return;
    }
    (void)snprintf(job->name, sizeof(job->name), "%s", person->name);
    (void)snprintf(job->hash, sizeof(job->hash), "%s", has_old ? account.password_hash : "");
    (void)snprintf(job->password, sizeof(job->password), "%s", has_old ? old : password);
    (void)snprintf(job->new_password, sizeof(job->new_password), "%s", password);
    auth_give_jobs(house);
}

/* The hash a worker compares with. Never "", which would ask the worker to hash a password. */
static void auth_proof_hash(struct house *house, const struct auth_proof *proof,
                            char hash[STORAGE_HASH_SIZE])
{
    struct storage_account account = {0};
    bool is_known = stored(house, storage_account_by_id(house->storage, proof->account, &account));
    bool has_hash = is_known && account.password_hash[0] != '\0';
    (void)snprintf(hash, STORAGE_HASH_SIZE, "%s",
                   proof->secret[0] != '\0' ? proof->secret
                   : has_hash               ? account.password_hash
                                            : auth_dummy_hash);
}

void auth_prove(const struct request *request, const struct auth_proof *proof, const char *text)
{
    struct auth_job wanted = {.purpose = AUTH_PROOF};
    auth_confirmer(proof->account, wanted.guesser);
    if (!auth_may_try(request, wanted.guesser)) {
        return;
    }
    struct auth_job *job = auth_job_new(request, &wanted);
    if (job != NULL) {
        job->proof = *proof;
        auth_proof_hash(request->house, proof, job->hash);
        (void)snprintf(job->password, sizeof(job->password), "%s", text);
        auth_give_jobs(request->house);
    }
}

static void auth_count(struct house *house, const char *guesser, bool is_right)
{
    if (is_right) {
        backoff_succeeded(house, guesser);
    } else {
        backoff_failed(house, guesser);
    }
}

void auth_judged(struct house *house, const struct auth_proof *proof, bool is_right)
{
    char guesser[STORAGE_NAME_SIZE];
    auth_confirmer(proof->account, guesser);
    auth_count(house, guesser, is_right);
}

static void auth_worker_gone(struct house *house, struct conn *worker)
{
    struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &auth_of(house)->jobs, in_list)
    {
        if (job->worker == worker->id) {
            job->worker = 0;
        }
    }
    worker_of(worker)->job = 0;
}

static void auth_worker_ready(struct house *house, struct conn *worker)
{
    auth_worker_gone(house, worker);
    auth_give_jobs(house);
}

static void auth_jobs_clear(struct house *house)
{
    struct auth_job *next = NULL;
    for (struct auth_job *job = TAILQ_FIRST(&auth_of(house)->jobs); job != NULL; job = next) {
        next = TAILQ_NEXT(job, in_list);
        auth_job_wipe(job);
    }
    TAILQ_INIT(&auth_of(house)->jobs);
}

/* The job that this worker reports as done; NULL for any other message. */
static struct auth_job *auth_job_done(struct house *house, struct conn *worker, const json_t *body)
{
    int64_t id = 0;
    if (!json_read_number(body, "job", 1, INT64_MAX, &id) || id != worker_of(worker)->job) {
        return NULL;
    }
    struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &auth_of(house)->jobs, in_list)
    {
        if (job->id == id && job->worker == worker->id) {
            worker_of(worker)->job = 0;
            house->doing.conn = job->conn;
            house->doing.request = job->request;
            return job;
        }
    }
    return NULL;
}

/* The request that the job serves; its conn is NULL if the connection has closed since. */
static struct request auth_request(struct house *house, const struct auth_job *job)
{
    return (struct request){house, .conn = conn_find(house, job->conn), .id = job->request};
}

static void auth_finish_sign_in(struct house *house, const struct auth_job *job, bool is_right)
{
    const struct request request = auth_request(house, job);
    struct conn *conn = request.conn;
    struct storage_account account;
    auth_count(house, job->guesser, is_right);
    if (conn == NULL || conn->phase != PHASE_DOOR) {
        return;
    }
    bool is_known = stored(house, storage_account_by_name(house->storage, job->name, &account));
    if (is_right && is_known) {
        entry_sign_in(&request, &account, false);
        person_journal_sign_in(house, conn, "password");
    } else {
        journal_denied(house, conn, "password", is_known ? account.name : NULL, "denied");
        answer_denied(&request, job->begun_ms);
    }
}

static void auth_finish_old_password(struct house *house, struct auth_job *job, bool is_right)
{
    const struct request request = auth_request(house, job);
    auth_count(house, job->guesser, is_right);
    if (is_right) {
        job->purpose = AUTH_NEW_PASSWORD;
        job->worker = 0;
        job->hash[0] = '\0';
        (void)snprintf(job->password, sizeof(job->password), "%s", job->new_password);
        return;
    }
    if (request.conn != NULL) {
        journal_denied(house, request.conn, "old-password", job->name, "denied");
        answer_no(&request, "denied",
                  _("That is not your present password: nothing was changed, try again."));
    }
    auth_job_free(house, job);
}

/* A worker says whether a password is right. */
static void message_checked(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    struct auth_job *job = auth_job_done(house, request->conn, body);
    bool is_right = json_read_bool(body, "is_right", false);
    if (job != NULL && job->hash[0] == '\0') {
        job->worker = 0; /* not an answer to the job: it is asked again */
    } else if (job != NULL && job->purpose == AUTH_OLD_PASSWORD) {
        auth_finish_old_password(house, job, is_right);
    } else if (job != NULL && job->purpose == AUTH_PROOF) {
        bool has_step = json_read_number(body, "step", 0, INT64_MAX, &job->proof.step);
        is_right = is_right && (has_step || job->proof.secret[0] == '\0');
        job->proof.judge(house, &job->proof, is_right);
        auth_job_free(house, job);
    } else if (job != NULL) {
        auth_finish_sign_in(house, job, is_right);
        auth_job_free(house, job);
    }
    auth_give_jobs(house);
}

const struct message_handler handler_checked = {message_checked};

static void auth_finish_new_password(struct house *house, const struct auth_job *job,
                                     const char *hash)
{
    const struct request request = auth_request(house, job);
    struct conn *conn = request.conn;
    if (conn == NULL || conn->person == NULL) {
        return;
    }
    stored_or_fail(house,
                   storage_account_set_password(house->storage, conn->person->account, hash));
    conn->person->has_password = true;
    person_journal(house, conn, "password-set");
    security_tell(
        house, conn->person->account, conn, NULL,
        say(_("Your account has another password from now on. If that was not you, ask the "
              "house's staff for help: they can make a code that lets you in.")));
    entry_conn(conn)->is_recovered = false;
    step_up_forget(conn->person);
    conn_save(house, conn);
    person_tell_you(house, conn->person);
    answer_ok(&request, NULL);
}

static void auth_finish_hash(struct house *house, struct auth_job *job, const char *hash)
{
    const struct request request = auth_request(house, job);
    if (job->purpose == AUTH_NEW_PASSWORD) {
        auth_finish_new_password(house, job, hash);
    } else if (request.conn != NULL) {
        sign_up_finish(&request, job->name, hash);
    }
    auth_job_free(house, job);
}

/* A worker sends the hash of a new password. */
static void message_hashed(const struct request *request)
{
    struct house *house = request->house;
    struct auth_job *job = auth_job_done(house, request->conn, request->body);
    const char *hash = json_read_text(request->body, "hash", STORAGE_HASH_SIZE - 1);
    bool is_hash_job = job != NULL && job->hash[0] == '\0';
    if (is_hash_job && hash != NULL) {
        auth_finish_hash(house, job, hash);
    } else if (job != NULL) {
        job->worker = 0; /* not an answer to the job: it is asked again */
    }
    auth_give_jobs(house);
}

const struct message_handler handler_hashed = {message_hashed};

static void auth_describe(struct house *house, UNUSED const struct conn *conn, json_t *message)
{
    const struct house_config *config = &house->config;
    (void)json_object_set_new(message, "password",
                              json_pack("[II]", (json_int_t)config->accounts_password_min,
                                        (json_int_t)config->accounts_password_max));
}

const struct part auth_part = {
    .name = "auth",
    .house_size = sizeof(struct auth),
    .conn_size = sizeof(struct auth_worker),
    .begin = auth_begin,
    .clear = auth_jobs_clear,
    .listens = PEER_AUTH,
    .peer_ready = auth_worker_ready,
    .peer_gone = auth_worker_gone,
    .describe = auth_describe,
};
