#include "lobby/accounts/accounts.h"

#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/mod/mod.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sign_up_create_account(const struct request *request, const char *name,
                                   const char *password_hash);

/* An Argon2id hash of random bytes that no password matches. Checking it takes as long as checking
 * any other hash. */
static const char *const auth_dummy_hash = "$argon2id$v=19$m=65536,t=3,p=1$lqNjsLoOI5eT0gEomX8IVQ$"
                                           "KPS5EsbFHLBYdcyW27kqdUaG+MyIIi7cr/ZUFu2pmA8";

enum auth_purpose {
    AUTH_SIGN_IN,
    AUTH_SIGN_UP,
    AUTH_OLD_PASSWORD, /* on success the job becomes AUTH_NEW_PASSWORD */
    AUTH_NEW_PASSWORD,
    AUTH_PROOF,
};

struct auth_job {
    int64_t id;
    enum auth_purpose purpose;
    int64_t conn;
    int64_t request;
    int64_t begun_ms;
    int64_t
        worker; /* the connection of the worker that does the job; 0: the job waits in the queue */
    char name[STORAGE_NAME_SIZE];
    char backoff_name[STORAGE_NAME_SIZE]; /* the name whose wait grows after a wrong password or
                                             code (sanctions/sanctions.h); "": none */
    char source[STORAGE_ADDRESS_SIZE];
    char hash[STORAGE_HASH_SIZE]; /* the hash to check the password against; "": the worker has to
                                     hash the password */
    char password[LIMIT_PASSWORD_BYTES + 1];
    char new_password[LIMIT_PASSWORD_BYTES + 1];
    struct auth_proof proof; /* set only when the purpose is AUTH_PROOF */
    TAILQ_ENTRY(auth_job) in_list;
};

TAILQ_HEAD(auth_job_list, auth_job);

struct auth {
    struct auth_job_list jobs; /* the oldest job first */
    int64_t job_last;          /* the number of the latest job; job numbers ascend */
    bool was_new_password;     /* whether the last job that was assigned sets a new password */
};

PART_STATE(auth_state_of_house, struct auth, auth);

/* The state of a worker's connection. */
struct auth_worker {
    int64_t job; /* the job the worker has; 0: none */
};

CONN_STATE(auth_state_of_worker, struct auth_worker, auth);

static void auth_init_queue(struct house *house)
{
    TAILQ_INIT(&auth_state_of_house(house)->jobs);
}

/* Erases the passwords, then frees the memory. */
static void auth_remove_job(struct house *house, struct auth_job *job)
{
    TAILQ_REMOVE(&auth_state_of_house(house)->jobs, job, in_list);
    sodium_memzero(job, sizeof(*job));
    free(job);
}

static void auth_send_job(struct house *house, struct auth_job *job, struct conn *worker)
{
    json_t *message = json_pack("{s:I,s:s}", "job", (json_int_t)job->id,
                                job->proof.secret[0] != '\0' ? "code" : "password", job->password);
    const char *type = job->hash[0] == '\0' ? "hash" : "check";
    job->worker = worker->id;
    auth_state_of_worker(worker)->job = job->id;
    if (job->proof.secret[0] != '\0') {
        type = "totp";
        (void)json_object_set_new(message, "secret", json_string(job->proof.secret));
        (void)json_object_set_new(message, "at_s", json_integer(house->now_ms / 1000));
    } else if (job->hash[0] != '\0') {
        (void)json_object_set_new(message, "hash", json_string(job->hash));
    }
    (void)json_object_set_new(message, "t", json_string(type));
    conn_send(house, worker, message);
}

static struct conn *auth_find_idle_worker(struct house *house)
{
    PROCESSES_EACH(conn, house) {
        if (conn->peer == PEER_AUTH && conn->phase == PHASE_IN &&
            auth_state_of_worker(conn)->job == 0 && !conn->awaits_hello) {
            return conn;
        }
    }
    return NULL;
}

/* True for jobs that set a new password: they wait in a queue of their own. */
static bool auth_job_sets_password(const struct auth_job *job)
{
    return job->purpose == AUTH_SIGN_UP || job->purpose == AUTH_OLD_PASSWORD ||
           job->purpose == AUTH_NEW_PASSWORD;
}

/* Picks the next job; NULL when no job waits. The two queues take turns, and each gives its oldest
 * job. A queue that is empty misses its turn. */
static struct auth_job *auth_pick_next_job(const struct house *house)
{
    struct auth_job *first = NULL;
    struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &auth_state_of_house(house)->jobs, in_list)
    {
        bool is_turn = auth_job_sets_password(job) != auth_state_of_house(house)->was_new_password;
        if (job->worker == 0 && is_turn) {
            return job;
        }
        first = first == NULL && job->worker == 0 ? job : first;
    }
    return first;
}

static void auth_assign_jobs(struct house *house)
{
    struct conn *worker = NULL;
    struct auth_job *job = NULL;
    while ((job = auth_pick_next_job(house)) != NULL &&
           (worker = auth_find_idle_worker(house)) != NULL) {
        auth_state_of_house(house)->was_new_password = auth_job_sets_password(job);
        auth_send_job(house, job, worker);
    }
}

/* Writes the name under which wrong passwords and codes are counted (sanctions/sanctions.h) when
 * the owner of this account confirms who they are. The name contains a blank, so no user has it. */
static void auth_write_backoff_name(int64_t account, char backoff_name[STORAGE_NAME_SIZE])
{
    (void)snprintf(backoff_name, STORAGE_NAME_SIZE, "confirm %" PRId64, account);
}

/* Writes the name under which wrong passwords at sign-in are counted. Sources from which the
 * account has signed in before have a count of their own, so that strangers who guess cannot lock
 * its owner out. For a name without account, the same is looked up, so that the time reveals
 * nothing. */
static void auth_write_sign_in_backoff_name(struct house *house, const struct conn *conn,
                                            const char *name, struct storage_account *account,
                                            char backoff_name[STORAGE_NAME_SIZE])
{
    char source[STORAGE_ADDRESS_SIZE];
    *account = (struct storage_account){0};
    (void)!stored(house, storage_account_by_name(house->storage, name, account));
    source_write_from_address(conn->address, source);
    if (person_sources_include(house, account->id, source)) {
        (void)snprintf(backoff_name, STORAGE_NAME_SIZE, "%" PRId64 " from %.38s", account->id,
                       source);
    } else {
        (void)snprintf(backoff_name, STORAGE_NAME_SIZE, "%s", name);
    }
}

/* True while an unfinished job belongs to this connection, to its source address or to this backoff
 * name. */
static bool auth_has_pending_job(const struct house *house, const struct conn *conn,
                                 const char *backoff_name)
{
    const struct auth_job *job = NULL;
    char source[STORAGE_ADDRESS_SIZE];
    source_write_from_address(conn->address, source);
    bool is_exempt = source_is_local(source) && !house->config.door_limit_loopback;
    TAILQ_FOREACH(job, &auth_state_of_house(house)->jobs, in_list)
    {
        bool is_guess = backoff_name[0] != '\0' && strcmp(job->backoff_name, backoff_name) == 0;
        if (job->conn == conn->id || is_guess || (!is_exempt && strcmp(job->source, source) == 0)) {
            return true;
        }
    }
    return false;
}

/* True when the queue has room for this job; otherwise the request is refused. */
static bool auth_queue_has_room(const struct request *request, const struct auth_job *new_job)
{
    struct house *house = request->house;
    size_t waiting = 0;
    const struct auth_job *job = NULL;
    if (auth_has_pending_job(house, request->conn, new_job->backoff_name)) {
        return answer_no(request, "busy",
                         _("The previous password is still being checked: try again in a moment."));
    }
    TAILQ_FOREACH(job, &auth_state_of_house(house)->jobs, in_list)
    {
        waiting +=
            job->worker == 0 && auth_job_sets_password(job) == auth_job_sets_password(new_job);
    }
    if (waiting < house->config.limits_password_queue) {
        return true;
    }
    return answer_no(request, "busy",
                     _("Too many people are signing in right now: try again in a few seconds."));
}

/* True when the wait after wrong attempts under this name is over; otherwise the request is
 * refused. */
static bool auth_wait_is_over(const struct request *request, const char *backoff_name)
{
    int64_t wait_s = backoff_get_wait_s(request->house, backoff_name);
    if (wait_s == 0) {
        return true;
    }
    bool is_name = strchr(backoff_name, ' ') == NULL;
    return answer_retry_later(
        request, wait_s,
        is_name ? _("There was a wrong password for that name: try again in %d s.")
                : _("After a wrong try you have to wait: %d s more."),
        (int)wait_s);
}

/* Queues a copy of the job under a new number, and erases the original. When the queue refuses the
 * job, the request is answered `busy`. */
static void auth_queue_job(const struct request *request, struct auth_job *new_job)
{
    struct house *house = request->house;
    if (auth_queue_has_room(request, new_job)) {
        struct auth_job *job = memory_new(sizeof(*job));
        *job = *new_job;
        job->id = ++auth_state_of_house(house)->job_last;
        job->conn = request->conn->id;
        source_write_from_address(request->conn->address, job->source);
        job->request = request->id;
        job->begun_ms = house->now_ms;
        TAILQ_INSERT_TAIL(&auth_state_of_house(house)->jobs, job, in_list);
        auth_assign_jobs(house);
    }
    sodium_memzero(new_job, sizeof(*new_job));
}

void auth_check_sign_in_password(const struct request *request, const char *name,
                                 const char *password)
{
    struct house *house = request->house;
    struct auth_job job = {.purpose = AUTH_SIGN_IN};
    struct storage_account account;
    auth_write_sign_in_backoff_name(house, request->conn, name, &account, job.backoff_name);
    if (!auth_wait_is_over(request, job.backoff_name)) {
        journal_write_denied_sign_in(house, request->conn, "password",
                                     account.id != 0 ? account.name : NULL, "wait");
        return;
    }
    (void)snprintf(job.name, sizeof(job.name), "%s", name);
    (void)snprintf(job.hash, sizeof(job.hash), "%s",
                   account.password_hash[0] != '\0' ? account.password_hash : auth_dummy_hash);
    (void)snprintf(job.password, sizeof(job.password), "%s", password);
    auth_queue_job(request, &job);
}

/* Hashes the password of a new account, then calls sign_up_create_account. */
static void auth_hash_sign_up_password(const struct request *request, const char *name,
                                       const char *password)
{
    struct auth_job job = {.purpose = AUTH_SIGN_UP};
    (void)snprintf(job.name, sizeof(job.name), "%s", name);
    (void)snprintf(job.password, sizeof(job.password), "%s", password);
    auth_queue_job(request, &job);
}

void auth_change_password(const struct request *request, const char *old_password,
                          const char *new_password)
{
    struct house *house = request->house;
    struct storage_account account;
    const struct person *person = request->conn->person;
    if (!stored(house, storage_account_by_id(house->storage, person->account, &account))) {
        answer_no(request, "unknown", _("This account is gone: sign in again."));
        return;
    }
    bool has_old =
        account.password_hash[0] != '\0' && !sign_in_state_of_conn(request->conn)->is_recovered;
    struct auth_job job = {.purpose = has_old ? AUTH_OLD_PASSWORD : AUTH_NEW_PASSWORD};
    auth_write_backoff_name(person->account, job.backoff_name);
    if (has_old && !auth_wait_is_over(request, job.backoff_name)) {
        return;
    }
    (void)snprintf(job.name, sizeof(job.name), "%s", person->name);
    (void)snprintf(job.hash, sizeof(job.hash), "%s", has_old ? account.password_hash : "");
    (void)snprintf(job.password, sizeof(job.password), "%s", has_old ? old_password : new_password);
    (void)snprintf(job.new_password, sizeof(job.new_password), "%s", new_password);
    auth_queue_job(request, &job);
}

/* Writes the password hash or authenticator secret that a worker checks the typed text against. It
 * is never "", which would make the worker hash the text. */
static void auth_write_expected_hash(struct house *house, const struct auth_proof *proof,
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

void auth_check_proof(const struct request *request, const struct auth_proof *proof,
                      const char *typed_text)
{
    struct auth_job job = {.purpose = AUTH_PROOF, .proof = *proof};
    auth_write_backoff_name(proof->account, job.backoff_name);
    if (!auth_wait_is_over(request, job.backoff_name)) {
        return;
    }
    auth_write_expected_hash(request->house, proof, job.hash);
    (void)snprintf(job.password, sizeof(job.password), "%s", typed_text);
    auth_queue_job(request, &job);
}

static void auth_count_attempt(struct house *house, const char *backoff_name, bool is_right)
{
    if (is_right) {
        backoff_reset(house, backoff_name);
    } else {
        backoff_count_failure(house, backoff_name);
    }
}

void auth_count_proof_attempt(struct house *house, const struct auth_proof *proof, bool is_right)
{
    char backoff_name[STORAGE_NAME_SIZE];
    auth_write_backoff_name(proof->account, backoff_name);
    auth_count_attempt(house, backoff_name, is_right);
}

static void auth_requeue_job_of_worker(struct house *house, struct conn *worker)
{
    struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &auth_state_of_house(house)->jobs, in_list)
    {
        if (job->worker == worker->id) {
            job->worker = 0;
        }
    }
    auth_state_of_worker(worker)->job = 0;
}

static void auth_assign_jobs_to_ready_worker(struct house *house, struct conn *worker)
{
    auth_requeue_job_of_worker(house, worker);
    auth_assign_jobs(house);
}

static void auth_clear_jobs(struct house *house)
{
    struct auth_job *next = NULL;
    for (struct auth_job *job = TAILQ_FIRST(&auth_state_of_house(house)->jobs); job != NULL;
         job = next) {
        next = TAILQ_NEXT(job, in_list);
        auth_remove_job(house, job);
    }
}

/* Returns the job that the worker's message reports as done; NULL when the message reports none. */
static struct auth_job *auth_find_reported_job(struct house *house, struct conn *worker,
                                               const json_t *body)
{
    int64_t id = 0;
    if (!json_read_number(body, "job", 1, INT64_MAX, &id) ||
        id != auth_state_of_worker(worker)->job) {
        return NULL;
    }
    struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &auth_state_of_house(house)->jobs, in_list)
    {
        if (job->id == id && job->worker == worker->id) {
            auth_state_of_worker(worker)->job = 0;
            house->doing.conn = job->conn;
            house->doing.request = job->request;
            metrics_observe_ms(house, HOUSE_METRIC_password_check, house->now_ms - job->begun_ms);
            return job;
        }
    }
    return NULL;
}

/* Returns the request that the job serves. The request's conn is NULL if the connection has closed
 * since. */
static struct request auth_request_of_job(struct house *house, const struct auth_job *job)
{
    return (struct request){house, .conn = conn_find(house, job->conn), .id = job->request};
}

static void auth_finish_sign_in(struct house *house, const struct auth_job *job, bool is_right)
{
    const struct request request = auth_request_of_job(house, job);
    struct conn *conn = request.conn;
    struct storage_account account;
    if (!is_right || strcmp(job->backoff_name, job->name) != 0) {
        auth_count_attempt(house, job->backoff_name, is_right);
    } /* else the count ends when the owner has been told of it (accounts.h) */
    if (conn == NULL || conn->phase != PHASE_UNAUTHENTICATED) {
        return;
    }
    bool is_known = stored(house, storage_account_by_name(house->storage, job->name, &account));
    if (is_right && is_known) {
        entry_sign_in(&request, &account, false);
        person_journal_log_sign_in(house, conn, "password");
    } else {
        journal_write_denied_sign_in(house, conn, "password", is_known ? account.name : NULL,
                                     "denied");
        answer_deny_sign_in(&request, job->begun_ms);
    }
}

static void auth_finish_old_password_check(struct house *house, struct auth_job *job, bool is_right)
{
    const struct request request = auth_request_of_job(house, job);
    auth_count_attempt(house, job->backoff_name, is_right);
    if (is_right) {
        job->purpose = AUTH_NEW_PASSWORD;
        job->worker = 0;
        job->hash[0] = '\0';
        (void)snprintf(job->password, sizeof(job->password), "%s", job->new_password);
        return;
    }
    if (request.conn != NULL) {
        journal_write_denied_sign_in(house, request.conn, "old-password", job->name, "denied");
        answer_no(&request, "denied",
                  _("That is not your present password: nothing was changed, try again."));
    }
    auth_remove_job(house, job);
}

/* A worker reports whether a password is right. */
void message_checked(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    struct auth_job *job = auth_find_reported_job(house, request->conn, body);
    bool is_right = json_read_bool(body, "is_right", false);
    if (job != NULL && job->hash[0] == '\0') {
        /* the message is not a valid answer to the job, so the job is assigned again */
        job->worker = 0;
    } else if (job != NULL && job->purpose == AUTH_OLD_PASSWORD) {
        auth_finish_old_password_check(house, job, is_right);
    } else if (job != NULL && job->purpose == AUTH_PROOF) {
        bool has_step = json_read_number(body, "step", 0, INT64_MAX, &job->proof.step);
        is_right = is_right && (has_step || job->proof.secret[0] == '\0');
        job->proof.finish(house, &job->proof, is_right);
        auth_remove_job(house, job);
    } else if (job != NULL) {
        auth_finish_sign_in(house, job, is_right);
        auth_remove_job(house, job);
    }
    auth_assign_jobs(house);
}

static void auth_store_new_password(struct house *house, const struct auth_job *job,
                                    const char *hash)
{
    const struct request request = auth_request_of_job(house, job);
    struct conn *conn = request.conn;
    if (conn == NULL || conn->person == NULL) {
        return;
    }
    stored_or_fail(house,
                   storage_account_set_password(house->storage, conn->person->account, hash));
    conn->person->has_password = true;
    person_journal_log_event(house, conn, "password-set");
    security_notify(house, conn->person->account, conn, NULL,
                    say(_("The password of your account was changed. If that was not you, ask the "
                          "house's staff for help: they can make a code that lets you in.")));
    sign_in_state_of_conn(conn)->is_recovered = false;
    step_up_drop_confirmations(house, conn->person);
    conn_save(house, conn);
    person_send_you_row(house, conn->person);
    answer_ok(&request, NULL);
}

static void auth_finish_hashing(struct house *house, struct auth_job *job, const char *hash)
{
    const struct request request = auth_request_of_job(house, job);
    if (job->purpose == AUTH_NEW_PASSWORD) {
        auth_store_new_password(house, job, hash);
    } else if (request.conn != NULL) {
        sign_up_create_account(&request, job->name, hash);
    }
    auth_remove_job(house, job);
}

/* A worker sends the hash of a new password. */
void message_hashed(const struct request *request)
{
    struct house *house = request->house;
    struct auth_job *job = auth_find_reported_job(house, request->conn, request->body);
    const char *hash = json_read_text(request->body, "hash", STORAGE_HASH_SIZE - 1);
    bool is_hash_job = job != NULL && job->hash[0] == '\0';
    if (is_hash_job && hash != NULL) {
        auth_finish_hashing(house, job, hash);
    } else if (job != NULL) {
        /* the message is not a valid answer to the job, so the job is assigned again */
        job->worker = 0;
    }
    auth_assign_jobs(house);
}

static void auth_add_password_limits(struct house *house, UNUSED const struct conn *conn,
                                     json_t *message)
{
    const struct house_config *config = &house->config;
    (void)json_object_set_new(message, "password",
                              json_pack("[II]", (json_int_t)config->accounts_password_min,
                                        (json_int_t)config->accounts_password_max));
}

static void auth_measure_queue(const struct house *house)
{
    size_t count = 0;
    const struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &auth_state_of_house(house)->jobs, in_list)
    {
        count++;
    }
    metrics_count(house, HOUSE_METRIC_queue_length, "auth", NULL, count);
}

const struct part auth_part = {
    .name = "auth",
    .house_size = sizeof(struct auth),
    .conn_size = sizeof(struct auth_worker),
    .begin = auth_init_queue,
    .clear = auth_clear_jobs,
    .measure = auth_measure_queue,
    .listens = PEER_AUTH,
    .peer_ready = auth_assign_jobs_to_ready_worker,
    .peer_gone = auth_requeue_job_of_worker,
    .describe = auth_add_password_limits,
};

#define CODE_GROUP 4
#define CODE_HASH_BYTES 32

static const char code_alphabet[] = "BCDFGHJKMNPQRSTVWXYZ";

#define CODE_ALPHABET_LEN (sizeof(code_alphabet) - 1)
/* Random bytes of at least this value are drawn again, so that all letters are equally likely. */
#define CODE_BYTE_END (256 / CODE_ALPHABET_LEN * CODE_ALPHABET_LEN)

static char random_code_letter(struct house *house)
{
    uint8_t byte = 0;
    do {
        house->config.random(house->config.random_context, &byte, sizeof(byte));
    } while (byte >= CODE_BYTE_END);
    return code_alphabet[byte % CODE_ALPHABET_LEN];
}

static size_t code_length(enum storage_code_purpose purpose)
{
    return purpose == STORAGE_CODE_RECOVERY ? CODE_LETTERS_MAX : CODE_LETTERS_MAX / 2;
}

static void hash_code_letters(const char *letters, size_t len, char hash[STORAGE_CODE_HASH_SIZE])
{
    uint8_t bytes[CODE_HASH_BYTES];
    (void)crypto_generichash(bytes, sizeof(bytes), (const uint8_t *)letters, len, NULL, 0);
    (void)sodium_bin2hex(hash, STORAGE_CODE_HASH_SIZE, bytes, sizeof(bytes));
}

/* Writes the letters of a code in groups, separated by dashes. */
static void write_code_in_groups(const char *letters, size_t len, char text[CODE_TEXT_SIZE])
{
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && i % CODE_GROUP == 0) {
            *text++ = '-';
        }
        *text++ = letters[i];
    }
    *text = '\0';
}

static void draw_code(struct house *house, size_t len, char text[CODE_TEXT_SIZE],
                      char hash[STORAGE_CODE_HASH_SIZE])
{
    char letters[CODE_LETTERS_MAX];
    for (size_t i = 0; i < len; i++) {
        letters[i] = random_code_letter(house);
    }
    hash_code_letters(letters, len, hash);
    write_code_in_groups(letters, len, text);
}

void code_create(struct house *house, int64_t account, enum storage_code_purpose purpose,
                 char text[CODE_TEXT_SIZE])
{
    struct storage_code code = {.account = account, .purpose = purpose, .expires_ms = INT64_MAX};
    enum storage_result result = STORAGE_TAKEN;
    size_t len = code_length(purpose);
    if (purpose == STORAGE_CODE_KEY) {
        code.expires_ms = house->now_ms + 1000 * (int64_t)house->config.accounts_code_s;
    }
    while (result == STORAGE_TAKEN) {
        draw_code(house, len, text, code.hash);
        result = storage_code_put(house->storage, &code);
    }
    stored_or_fail(house, result);
}

/* Reads the letters of a typed code; false when it does not have exactly `len` letters. */
static bool read_code_letters(const char *text, size_t len, char letters[CODE_LETTERS_MAX])
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        int c = *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text;
        if (c == '-' || c == ' ') {
            continue;
        }
        if (c < 'A' || c > 'Z' || count == len) {
            return false;
        }
        letters[count++] = (char)c;
    }
    return count == len;
}

void code_create_invitation(struct house *house, char text[CODE_TEXT_SIZE])
{
    char hash[STORAGE_CODE_HASH_SIZE];
    draw_code(house, CODE_LETTERS_MAX / 2, text, hash);
    stored_or_fail(house,
                   storage_rule_set(house->storage, STORAGE_RULE_INVITED, hash,
                                    house->now_ms + CODE_INVITATION_DAYS * INT64_C(86400000)));
}

/* True until the invitation is used, by whoever typed it, or expires. */
static bool code_invitation_is_valid(struct house *house, const char *hash)
{
    int64_t until_ms = 0;
    stored_or_fail(house, storage_rule_read(house->storage, STORAGE_RULE_INVITED, hash, &until_ms));
    return until_ms > house->now_ms;
}

bool code_find_invitation(struct house *house, const char *text, char hash[STORAGE_CODE_HASH_SIZE])
{
    char letters[CODE_LETTERS_MAX];
    if (!read_code_letters(text, CODE_LETTERS_MAX / 2, letters)) {
        return false;
    }
    hash_code_letters(letters, CODE_LETTERS_MAX / 2, hash);
    return code_invitation_is_valid(house, hash);
}

bool code_find_owner(struct house *house, const char *text, enum storage_code_purpose purpose,
                     int64_t *account)
{
    char letters[CODE_LETTERS_MAX];
    size_t len = code_length(purpose);
    char hash[STORAGE_CODE_HASH_SIZE];
    struct storage_code code;
    if (!read_code_letters(text, len, letters)) {
        return false;
    }
    hash_code_letters(letters, len, hash);
    if (!stored(house, storage_code_find(house->storage, purpose, hash, &code)) ||
        code.expires_ms <= house->now_ms) {
        return false;
    }
    *account = code.account;
    return true;
}

/* Reads how many accounts were registered from the source within the last hour; false when there
 * was none. */
static bool registration_find_recent(struct house *house, const char *source,
                                     struct storage_registration *registration)
{
    return stored(house, storage_registration_read(house->storage, source, registration)) &&
           house->now_ms - registration->first_ms < LIMIT_REGISTRATIONS_MS;
}

static bool registration_is_below_limit(struct house *house, const char *source,
                                        uint32_t limit_factor)
{
    struct storage_registration registration;
    return !registration_find_recent(house, source, &registration) ||
           registration.count < limit_factor * house->config.limits_registrations;
}

/* Writes the IPv6 /48 network around a source, with "/48" at its end; it contains 65,536 sources,
 * which one owner may use. Returns false, and writes "" to `net`, when the source is not IPv6 or is
 * the house's own machine. */
static bool source_write_ipv6_network(const char *source, char net[STORAGE_ADDRESS_SIZE])
{
    char text[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    net[0] = '\0';
    if (inet_pton(AF_INET6, source, bytes) != 1 || source_is_local(source)) {
        return false;
    }
    memset(bytes + 6, 0, 10);
    (void)inet_ntop(AF_INET6, bytes, text, sizeof(text));
    (void)snprintf(net, STORAGE_ADDRESS_SIZE, "%s/48", text);
    return true;
}

static bool registration_is_allowed(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    char net[STORAGE_ADDRESS_SIZE];
    source_write_from_address(address, source);
    return registration_is_below_limit(house, source, 1) &&
           (!source_write_ipv6_network(source, net) ||
            registration_is_below_limit(house, net, REGISTRATION_NET_SHARES));
}

/* Counts one more registration from this source or network. */
static void registration_record_at_source(struct house *house,
                                          const char source[STORAGE_ADDRESS_SIZE])
{
    struct storage_registration registration;
    if (!registration_find_recent(house, source, &registration)) {
        registration = (struct storage_registration){.first_ms = house->now_ms};
        memcpy(registration.source, source, sizeof(registration.source));
    }
    registration.count++;
    stored_or_fail(house, storage_registration_save(house->storage, &registration));
}

void registrations_forget_old(struct house *house)
{
    stored_or_fail(house, storage_registrations_delete_until(
                              house->storage, house->now_ms - LIMIT_REGISTRATIONS_MS));
}

/* Adds one new account to the registrations counted for this address. */
static void registration_record_new_account(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    char net[STORAGE_ADDRESS_SIZE];
    source_write_from_address(address, source);
    if (source_is_local(source)) {
        return;
    }
    registrations_forget_old(house);
    registration_record_at_source(house, source);
    if (source_write_ipv6_network(source, net)) {
        registration_record_at_source(house, net);
    }
}

bool sign_up_name_is_taken(struct house *house, const char *name)
{
    char skeleton[NAME_SKELETON_MAX];
    name_write_skeleton(name, skeleton);
    struct storage_account account;
    return stored(house, storage_account_by_skeleton(house->storage, skeleton, &account)) ||
           former_name_is_reserved(house, name, 0);
}

/* True when the name is valid and free; otherwise the request is refused. */
static bool sign_up_check_name(const struct request *request, const char *name)
{
    enum name_result result = name == NULL ? NAME_BAD : name_check(name);
    if (result == NAME_BAD) {
        answer_no(request, "name_bad",
                  _("A name has 2 to 16 characters, begins with a letter and goes on with a–z, "
                    "0–9, - or _: try another."));
    } else if (result == NAME_RESERVED) {
        answer_no(request, "name_reserved", _("That name belongs to the house: try another."));
    } else if (sign_up_name_is_taken(request->house, name)) {
        answer_no(request, "name_taken",
                  _("Somebody has that name, or one that looks like it: try another."));
    } else {
        return true;
    }
    return false;
}

void message_name_check(const struct request *request)
{
    if (sign_up_check_name(request, json_read_name(request->body, "name"))) {
        answer_ok(request, NULL);
    }
}

/* True when the person typed an invitation that nobody has used meanwhile. */
static bool sign_up_is_invited(struct house *house, const struct conn *conn)
{
    const char *invitation = sign_in_state_of_conn(conn)->invitation;
    return invitation[0] != '\0' && code_invitation_is_valid(house, invitation);
}

static bool sign_up_is_allowed(const struct request *request)
{
    struct house *house = request->house;
    if (allowlist_has_conn(house, request->conn)) {
        return true;
    }
    bool is_invited = sign_up_is_invited(house, request->conn);
    if (!is_invited && policy_has_value(house, POLICY_REGISTRATION, "closed")) {
        return answer_no(request, "closed",
                         _("This house takes no new accounts at present: come in as guest."));
    }
    if (!is_invited && !registration_is_allowed(house, request->conn->address)) {
        return answer_no(
            request, "closed",
            _("Too many accounts were made from your address: try again in an hour, or come "
              "in as guest."));
    }
    return sign_in_bans_allow(request, NULL);
}

bool sign_up_compose_password(const struct request *request, const char *typed,
                              char password[LIMIT_PASSWORD_BYTES + 1])
{
    const struct house_config *config = &request->house->config;
    size_t len = password_compose(typed, password, LIMIT_PASSWORD_BYTES + 1) ? strlen(password) : 0;
    if (len >= config->accounts_password_min && len <= config->accounts_password_max) {
        return true;
    }
    return answer_no(
        request, "password_bad", _("A password has %u to %u bytes: a few words make a good one."),
        (unsigned)config->accounts_password_min, (unsigned)config->accounts_password_max);
}

/* True when no account has the connection's key; otherwise the request is refused. */
static bool sign_up_check_key(const struct request *request)
{
    struct storage_account account;
    if (request->conn->key_fingerprint[0] == '\0' ||
        !stored(request->house, storage_account_by_key(request->house->storage,
                                                       request->conn->key_fingerprint, &account))) {
        return true;
    }
    return answer_no(
        request, "key_taken",
        _("Your key opens an account that was made just now: connect again to use it."));
}

void message_sign_up(const struct request *request)
{
    json_t *body = request->body;
    const char *name = json_read_name(body, "name");
    if (!sign_up_is_allowed(request) || !sign_up_check_name(request, name) ||
        !sign_up_check_key(request)) {
        return;
    }
    if (!json_read_key_is_absent(body, "password")) {
        const char *typed = json_string_value(json_object_get(body, "password"));
        char password[LIMIT_PASSWORD_BYTES + 1];
        if (sign_up_compose_password(request, typed, password)) {
            auth_hash_sign_up_password(request, name, password);
        }
        sodium_memzero(password, sizeof(password));
    } else if (request->conn->key_fingerprint[0] == '\0') {
        answer_no(request, "password_bad",
                  _("Without a key an account needs a password: choose one."));
    } else {
        sign_up_create_account(request, name, "");
    }
}

/* True when the key is the one that the configuration names for the first admin. */
static bool admins_is_first_admin_key(const struct house *house, const char *fingerprint)
{
    return fingerprint[0] != '\0' && strcmp(fingerprint, house->config.house_first_admin) == 0;
}

static void code_use_invitation(struct house *house, const char *hash)
{
    stored_or_fail(house, storage_rule_set(house->storage, STORAGE_RULE_INVITED, hash, 0));
}

/* Whether an account made over this connection starts as held, because its owner is held under
 * another name. */
static bool sanctions_user_of_conn_is_held(struct house *house, const struct conn *conn)
{
    SANCTIONS_EACH(sanction, house) {
        if (sanction->row.kind == STORAGE_SANCTION_HOLD &&
            person_sources_match_conn(house, sanction, conn, NULL)) {
            return true;
        }
    }
    return false;
}

/* Creates the account, adds the connection's key to it, signs in and answers the request.
 * `password_hash` is "" when the account has no password. */
static void sign_up_create_account(const struct request *request, const char *name,
                                   const char *password_hash)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    if (conn->phase != PHASE_UNREGISTERED || !sign_up_is_allowed(request) ||
        !sign_up_check_name(request, name) || !sign_up_check_key(request)) {
        return;
    }
    struct storage_account account = {
        .kind = STORAGE_PLAYER,
        .role = admins_is_first_admin_key(house, conn->key_fingerprint) ? STORAGE_ROLE_ADMIN
                                                                        : STORAGE_ROLE_PLAYER,
        .created_ms = house->now_ms,
        .seen_ms = house->now_ms,
    };
    bool is_invited = sign_up_is_invited(house, conn);
    account.is_held = account.role == STORAGE_ROLE_PLAYER && !allowlist_has_conn(house, conn) &&
                      ((policy_has_value(house, POLICY_REGISTRATION, "hold") && !is_invited) ||
                       sanctions_user_of_conn_is_held(house, conn));
    (void)snprintf(account.name, sizeof(account.name), "%s", name);
    name_write_skeleton(name, account.skeleton);
    (void)snprintf(account.settings, sizeof(account.settings), "%s",
                   conn_is_telnet(conn) ? TELNET_SETTINGS : "{}");
    (void)snprintf(account.password_hash, sizeof(account.password_hash), "%s", password_hash);
    stored_or_fail(house, storage_account_add(house->storage, &account, &account.id));
    if (conn->key_fingerprint[0] != '\0') {
        stored_or_fail(house, key_bind(house, conn, account.id));
    }
    if (is_invited) {
        code_use_invitation(house, sign_in_state_of_conn(conn)->invitation);
    }
    registration_record_new_account(house, conn->address);
    metrics_count(house, HOUSE_METRIC_sign_ups, NULL, NULL, 1);
    journal_write(house, conn, "sign-up",
                  JOURNAL_PAIRS("account", account.name, "method",
                                password_hash[0] != '\0' ? "password" : "key", "held",
                                account.is_held ? "yes" : "no", "transport", conn->transport,
                                "address", conn->address));
    entry_sign_in(request, &account, true);
    if (account.is_held) {
        staff_notify(house, STORAGE_ROLE_MOD,
                     say(_("The new account %s is held: /release %s lets its owner talk."),
                         account.name, account.name));
    }
}

#define GUESTS_KEPT_MS INT64_C(86400000)

static void guests_fill_row(const struct house *house, const struct conn *conn,
                            struct storage_guest *guest)
{
    *guest = (struct storage_guest){.seen_ms = house->now_ms};
    (void)snprintf(guest->name, sizeof(guest->name), "%s", conn->person->name);
    (void)snprintf(guest->address, sizeof(guest->address), "%s", conn->address);
    (void)snprintf(guest->fingerprint, sizeof(guest->fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(guest->transport, sizeof(guest->transport), "%s", conn->transport);
    net_format_household_network(conn->address, guest->net);
}

/* Stores that the guest of this connection is in the house now. Guests are forgotten a day after
 * they have left. Nothing is stored while the disk is full. */
static void guests_record_visit(struct house *house, struct conn *conn)
{
    struct storage_guest guest;
    if (house->is_read_only || conn->person->kind != PERSON_GUEST) {
        return;
    }
    guests_fill_row(house, conn, &guest);
    stored_or_fail(house,
                   storage_guest_save(house->storage, &guest, house->now_ms - GUESTS_KEPT_MS));
}

void guests_forget_old(struct house *house)
{
    stored_or_fail(house,
                   storage_guests_delete_before(house->storage, house->now_ms - GUESTS_KEPT_MS));
}

bool guests_find(struct house *house, const char *name, struct storage_guest *guest)
{
    const struct person *person = person_find(house, name);
    if (person != NULL && person->kind == PERSON_GUEST && !TAILQ_EMPTY(&person->conns)) {
        guests_fill_row(house, TAILQ_FIRST(&person->conns)->conn, guest);
        return true;
    }
    return person == NULL && stored(house, storage_guest_read(house->storage, name, guest));
}

static void guests_add_policy_to_welcome(struct house *house, UNUSED const struct conn *conn,
                                         json_t *message)
{
    (void)json_object_set_new(message, "guests", json_string(policy_value(house, POLICY_GUESTS)));
}

/* Stores the guest's address when they leave, while the person still exists in memory. */
static void guests_record_departure(struct house *house, struct conn *conn)
{
    if (conn->person != NULL) {
        guests_record_visit(house, conn);
    }
}

const struct part guests_part = {
    .name = "guests",
    .describe = guests_add_policy_to_welcome,
    .conn_gone = guests_record_departure,
};

const struct person_listener guests_person_listener = {
    .enter = guests_record_visit,
};
