#include "lobby/accounts/accounts.h"

#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An Argon2id hash of random bytes that no password matches. Checking it takes as long as checking
 * any other hash. */
static const char *const auth_dummy_hash = "$argon2id$v=19$m=65536,t=3,p=1$lqNjsLoOI5eT0gEomX8IVQ$"
                                           "KPS5EsbFHLBYdcyW27kqdUaG+MyIIi7cr/ZUFu2pmA8";

enum auth_purpose {
    AUTH_SIGN_IN,
    AUTH_SIGN_UP,
    AUTH_OLD_PASSWORD, /* on success the job becomes AUTH_NEW_PASSWORD */
    AUTH_NEW_PASSWORD,
    AUTH_STEP_UP,    /* the person of the connection confirms who they are */
    AUTH_TOTP_SETUP, /* the person shows that their authenticator has the new secret */
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
    char secret[STORAGE_TOTP_SECRET_SIZE]; /* the secret of the authenticator from which the typed
                                              code was made; "": a password was typed */
    int64_t account;                       /* of AUTH_STEP_UP and AUTH_TOTP_SETUP */
    int64_t step; /* the time step for which the code was right (RFC 6238) */
    TAILQ_ENTRY(auth_job) in_list;
};

/* Erases the passwords, then frees the memory. */
static void auth_remove_job(struct house *house, struct auth_job *job)
{
    TAILQ_REMOVE(&accounts_of(house)->jobs, job, in_list);
    sodium_memzero(job, sizeof(*job));
    free(job);
}

static void auth_send_job(struct house *house, struct auth_job *job, struct conn *worker)
{
    json_t *message = json_pack("{s:I,s:s}", "job", (json_int_t)job->id,
                                job->secret[0] != '\0' ? "code" : "password", job->password);
    const char *type = job->hash[0] == '\0' ? "hash" : "check";
    job->worker = worker->id;
    if (job->secret[0] != '\0') {
        type = "totp";
        (void)json_object_set_new(message, "secret", json_string(job->secret));
        (void)json_object_set_new(message, "at_s", json_integer(house->now_ms / 1000));
    } else if (job->hash[0] != '\0') {
        (void)json_object_set_new(message, "hash", json_string(job->hash));
    }
    (void)json_object_set_new(message, "t", json_string(type));
    conn_send(house, worker, message);
}

/* Returns the job that the worker has; NULL: none. */
static struct auth_job *auth_find_job_of_worker(const struct house *house,
                                                const struct conn *worker)
{
    struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &accounts_of(house)->jobs, in_list)
    {
        if (job->worker == worker->id) {
            return job;
        }
    }
    return NULL;
}

static struct conn *auth_find_idle_worker(struct house *house)
{
    PROCESSES_EACH(conn, house) {
        if (conn->peer == PEER_AUTH && conn->phase == PHASE_IN &&
            auth_find_job_of_worker(house, conn) == NULL && !conn->awaits_hello) {
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
    TAILQ_FOREACH(job, &accounts_of(house)->jobs, in_list)
    {
        bool is_turn = auth_job_sets_password(job) != accounts_of(house)->was_new_password;
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
        accounts_of(house)->was_new_password = auth_job_sets_password(job);
        auth_send_job(house, job, worker);
    }
}

/* Writes the name under which wrong passwords and codes are counted (sanctions/sanctions.h) when
 * the owner of this account confirms who they are. The name contains a blank, so no user has it. */
static void auth_write_backoff_name(int64_t account, char backoff_name[STORAGE_NAME_SIZE])
{
    (void)snprintf(backoff_name, STORAGE_NAME_SIZE, "confirm %" PRId64, account);
}

struct source_search {
    const char *source;
    bool is_found;
};

static bool compare_source(void *context, const struct storage_sign_in *row)
{
    struct source_search *search = context;
    char source[STORAGE_ADDRESS_SIZE];
    source_write_from_address(row->address, source);
    search->is_found = strcmp(source, search->source) == 0;
    return !search->is_found;
}

static bool person_sources_include(struct house *house, int64_t account, const char *source)
{
    struct source_search search = {.source = source};
    stored_or_fail(house,
                   storage_sign_ins_by_account(house->storage, account, compare_source, &search));
    return search.is_found;
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
    TAILQ_FOREACH(job, &accounts_of(house)->jobs, in_list)
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
    TAILQ_FOREACH(job, &accounts_of(house)->jobs, in_list)
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
        job->id = ++accounts_of(house)->job_last;
        job->conn = request->conn->id;
        source_write_from_address(request->conn->address, job->source);
        job->request = request->id;
        job->begun_ms = house->now_ms;
        TAILQ_INSERT_TAIL(&accounts_of(house)->jobs, job, in_list);
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

void auth_hash_sign_up_password(const struct request *request, const char *name,
                                const char *password)
{
    struct auth_job job = {.purpose = AUTH_SIGN_UP};
    (void)snprintf(job.name, sizeof(job.name), "%s", name);
    (void)snprintf(job.password, sizeof(job.password), "%s", password);
    auth_queue_job(request, &job);
}

static void auth_change_password(const struct request *request, const char *old_password,
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

/* Has a worker check what the person of the connection typed: the account's password, of at most
 * LIMIT_PASSWORD_BYTES, or (unless `secret` is "") a code made from `secret`. The job ends even if
 * the connection has closed meanwhile. If the account has to wait after wrong attempts, the request
 * is answered `wait`; if another job is unfinished, `busy`. */
static void auth_check_identity(const struct request *request, enum auth_purpose purpose,
                                const char *secret, const char *typed_text)
{
    struct house *house = request->house;
    struct storage_account account = {0};
    struct auth_job job = {.purpose = purpose, .account = request->conn->person->account};
    auth_write_backoff_name(job.account, job.backoff_name);
    if (!auth_wait_is_over(request, job.backoff_name)) {
        return;
    }
    (void)!stored(house, storage_account_by_id(house->storage, job.account, &account));
    (void)snprintf(job.secret, sizeof(job.secret), "%s", secret);
    /* never "", which would make the worker hash the text */
    (void)snprintf(job.hash, sizeof(job.hash), "%s",
                   secret[0] != '\0'                  ? secret
                   : account.password_hash[0] != '\0' ? account.password_hash
                                                      : auth_dummy_hash);
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

void auth_requeue_job_of_worker(struct house *house, struct conn *worker)
{
    struct auth_job *job = auth_find_job_of_worker(house, worker);
    if (job != NULL) {
        job->worker = 0;
    }
}

void auth_assign_jobs_to_ready_worker(struct house *house, struct conn *worker)
{
    auth_requeue_job_of_worker(house, worker);
    auth_assign_jobs(house);
}

void auth_clear_jobs(struct house *house)
{
    struct auth_job *next = NULL;
    for (struct auth_job *job = TAILQ_FIRST(&accounts_of(house)->jobs); job != NULL; job = next) {
        next = TAILQ_NEXT(job, in_list);
        auth_remove_job(house, job);
    }
}

/* Returns the job that the worker's message reports as done; NULL when the message reports none. */
static struct auth_job *auth_find_reported_job(struct house *house, struct conn *worker,
                                               const json_t *body)
{
    int64_t id = 0;
    struct auth_job *job = auth_find_job_of_worker(house, worker);
    if (job == NULL || !json_read_number(body, "job", 1, INT64_MAX, &id) || id != job->id) {
        return NULL;
    }
    house->doing.conn = job->conn;
    house->doing.request = job->request;
    metrics_observe_ms(house, HOUSE_METRIC_password_check, house->now_ms - job->begun_ms);
    return job;
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

static void step_up_confirm_conn(struct house *house, struct conn *conn)
{
    struct storage_account account;
    struct confirmed_keys *keys = &sanctions_house_state(house)->confirmed;
    sanctions_conn_state(conn)->confirmed_ms = house->now_ms;
    if (conn->key_fingerprint[0] == '\0' ||
        !stored(house, storage_account_by_key(house->storage, conn->key_fingerprint, &account)) ||
        account.id != conn->person->account) {
        return;
    }
    struct confirmed_key *key = &keys->at[keys->next++ % KEYS_MAX];
    *key = (struct confirmed_key){.account = account.id, .at_ms = house->now_ms};
    (void)snprintf(key->fingerprint, sizeof(key->fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(key->address, sizeof(key->address), "%s", conn->address);
}

/* Drops the confirmations on all of the person's connections, because their password or
 * authenticator has changed. */
static void step_up_drop_confirmations(const struct house *house, struct person *person)
{
    for (size_t i = 0; i < KEYS_MAX; i++) {
        struct confirmed_key *key = &sanctions_house_state(house)->confirmed.at[i];
        key->at_ms = key->account == person->account ? 0 : key->at_ms;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        sanctions_conn_state(conn)->confirmed_ms = 0;
    }
}

/* Counts the attempt and answers the request; after a right proof the connection counts as
 * confirmed. */
static void step_up_answer_with_result(struct house *house, const struct auth_job *job,
                                       bool is_right)
{
    const struct request request = auth_request_of_job(house, job);
    struct conn *conn = request.conn;
    auth_count_attempt(house, job->backoff_name, is_right);
    if (conn == NULL) {
        return;
    }
    if (is_right) {
        step_up_confirm_conn(house, conn);
        journal_write(house, conn, "step-up",
                      JOURNAL_PAIRS("account", conn->person->name, "method",
                                    job->secret[0] != '\0' ? "totp" : "password"));
        answer_ok(&request, json_pack("{s:I}", "for_s", (json_int_t)house->config.staff_step_up_s));
    } else {
        journal_write_denied_sign_in(house, conn, "step-up", conn->person->name, "denied");
        answer_no(&request, "denied", _("That is not right: try again."));
    }
}

/* Ends a confirmation. A code counts only once, so a code that somebody saw while it was typed is
 * useless to them. */
static void step_up_finish_confirmation(struct house *house, const struct auth_job *job,
                                        bool is_right)
{
    bool is_fresh = job->secret[0] == '\0' ||
                    (is_right && stored(house, storage_totp_mark_used(house->storage, job->account,
                                                                      job->step)));
    step_up_answer_with_result(house, job, is_right && is_fresh);
}

/* Stores the secret once a right code has shown that the person's authenticator has it. */
static void totp_finish_setup(struct house *house, const struct auth_job *job, bool is_right)
{
    struct conn *conn = conn_find(house, job->conn);
    bool is_kept = is_right && conn != NULL && !conn->person->has_totp &&
                   strcmp(sign_in_state_of_conn(conn)->totp_secret, job->secret) == 0;
    if (is_kept) {
        struct storage_totp totp = {.used_step = job->step};
        memcpy(totp.secret, job->secret, sizeof(totp.secret));
        stored_or_fail(house, storage_totp_put(house->storage, job->account, &totp));
        conn->person->has_totp = true;
        person_journal_log_event(house, conn, "totp-on");
        security_notify(house, job->account, conn, NULL,
                        say(_("From now on, codes of an authenticator confirm who you are. If you "
                              "did not set it up: choose another /password, then /totp off.")));
        sodium_memzero(sign_in_state_of_conn(conn)->totp_secret,
                       sizeof(sign_in_state_of_conn(conn)->totp_secret));
        sodium_memzero(&totp, sizeof(totp));
        person_send_you_row(house, conn->person);
    }
    step_up_answer_with_result(house, job, is_kept);
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
    } else if (job != NULL && (job->purpose == AUTH_STEP_UP || job->purpose == AUTH_TOTP_SETUP)) {
        bool has_step = json_read_number(body, "step", 0, INT64_MAX, &job->step);
        is_right = is_right && (has_step || job->secret[0] == '\0');
        if (job->purpose == AUTH_STEP_UP) {
            step_up_finish_confirmation(house, job, is_right);
        } else {
            totp_finish_setup(house, job, is_right);
        }
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

void auth_measure_queue(const struct house *house)
{
    size_t count = 0;
    const struct auth_job *job = NULL;
    TAILQ_FOREACH(job, &accounts_of(house)->jobs, in_list)
    {
        count++;
    }
    metrics_count(house, HOUSE_METRIC_queue_length, "auth", NULL, count);
}

bool need_password(struct request *request)
{
    if (request->conn->person->account == 0) {
        answer_no(request, "guest",
                  _("A guest has no account to protect: make one to have a password."));
    } else if (conn_is_telnet(request->conn)) {
        answer_no(request, "telnet",
                  _("Telnet would show your password to others: set it over SSH."));
    } else {
        return true;
    }
    return false;
}

void message_password_set(const struct request *request)
{
    struct conn *conn = request->conn;
    const struct person *person = conn->person;
    const char *typed = json_string_value(json_object_get(request->body, "password"));
    char password[LIMIT_PASSWORD_BYTES + 1] = "";
    char old[LIMIT_PASSWORD_BYTES + 1];
    bool has_old = password_read(request->body, "old", old, sizeof(old));
    (void)has_old; /* without one, "" is checked */
    if (!person->has_password && !sign_in_state_of_conn(conn)->is_recovered &&
        !step_up_is_confirmed_or_no_secret(request)) {
        return; /* a stolen key must not be enough to set a password, which could then replace the
                   authenticator code */
    } else if (sign_up_compose_password(request, typed, password) &&
               request_is_within_rate_limit(request)) {
        auth_change_password(request, old, password);
    }
    sodium_memzero(password, sizeof(password));
    sodium_memzero(old, sizeof(old));
}

void message_step_up(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    char password[LIMIT_PASSWORD_BYTES + 1];
    bool has_password = password_read(request->body, "password", password, sizeof(password));
    const char *code = json_read_text(request->body, "totp", LIMIT_TOTP_BYTES);
    struct storage_totp totp = {0};
    bool is_code = code != NULL &&
                   stored(house, storage_totp_read(house->storage, conn->person->account, &totp));
    if (is_code || has_password) {
        auth_check_identity(request, AUTH_STEP_UP, totp.secret, is_code ? code : password);
    } else if (code != NULL) {
        answer_no(request, "totp_none", _("This account has no authenticator: type its password."));
    } else {
        answer_no(request, "bad",
                  _("A field of this message is missing or invalid: see the protocol's page."));
    }
    sodium_memzero(password, sizeof(password));
    sodium_memzero(&totp, sizeof(totp));
}

/*
 * Authenticator codes: time-based codes of six digits, in steps of 30 s, by SHA-1 (RFC 6238), as
 * all authenticators make them. A code confirms a person as a password does. The secret is shown
 * once. It is stored once the person has typed a code made from it.
 */

#define TOTP_LETTERS (STORAGE_TOTP_SECRET_SIZE - 1)
/* room for the percent-encoded names of the house and the user, and for the rest of the URI */
#define TOTP_URI_SIZE 600

/* the 32 letters and digits of base32 (RFC 4648) */
static const char totp_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

static void totp_make_secret(struct house *house, char secret[STORAGE_TOTP_SECRET_SIZE])
{
    uint8_t bytes[TOTP_LETTERS];
    house->config.random(house->config.random_context, bytes, sizeof(bytes));
    for (size_t i = 0; i < TOTP_LETTERS; i++) {
        secret[i] = totp_alphabet[bytes[i] >> 3];
    }
    secret[TOTP_LETTERS] = '\0';
    sodium_memzero(bytes, sizeof(bytes));
}

static bool totp_is_unreserved_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

/* Appends the text to the URI, percent-encoded (RFC 3986). */
static void totp_append_percent_encoded(char uri[TOTP_URI_SIZE], const char *text)
{
    size_t len = strlen(uri);
    for (; *text != '\0' && len + 4 <= TOTP_URI_SIZE; text++) {
        len += (size_t)snprintf(uri + len, TOTP_URI_SIZE - len,
                                totp_is_unreserved_character(*text) ? "%c" : "%%%02X",
                                (unsigned char)*text);
    }
}

/* Writes the URI that authenticators read, otpauth://totp/House:name?secret=… Parameters with
 * default values are left out, so that the QR code stays small. */
static void totp_write_uri(const struct house *house, const struct conn *conn,
                           char uri[TOTP_URI_SIZE])
{
    (void)snprintf(uri, TOTP_URI_SIZE, "otpauth://totp/");
    totp_append_percent_encoded(uri, house->config.house_name);
    size_t len = strlen(uri);
    (void)snprintf(uri + len, TOTP_URI_SIZE - len, ":%s?secret=%s", conn->person->name,
                   sign_in_state_of_conn(conn)->totp_secret);
}

bool need_no_totp(struct request *request)
{
    if (!request->conn->person->has_totp) {
        return true;
    }
    return answer_no(request, "totp_on",
                     _("An authenticator is set up already: remove it with /totp off first."));
}

void message_totp_begin(const struct request *request)
{
    struct conn *conn = request->conn;
    char uri[TOTP_URI_SIZE];
    totp_make_secret(request->house, sign_in_state_of_conn(conn)->totp_secret);
    totp_write_uri(request->house, conn, uri);
    answer_ok(request, json_pack("{s:s,s:s}", "secret", sign_in_state_of_conn(conn)->totp_secret,
                                 "uri", uri));
    sodium_memzero(uri, sizeof(uri));
}

void message_totp_confirm(const struct request *request)
{
    struct conn *conn = request->conn;
    const char *code = json_read_text(request->body, "totp", LIMIT_TOTP_BYTES);
    if (code == NULL || sign_in_state_of_conn(conn)->totp_secret[0] == '\0') {
        answer_no(request, "totp_none",
                  _("No authenticator is being set up: begin with /totp on."));
        return;
    }
    auth_check_identity(request, AUTH_TOTP_SETUP, sign_in_state_of_conn(conn)->totp_secret, code);
}

void message_totp_end(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct person *person = conn->person;
    if (!person->has_totp) {
        answer_no(request, "totp_none", _("This account has no authenticator."));
    } else if (step_up_is_confirmed(request)) {
        stored_or_fail(house, storage_totp_remove(house->storage, person->account));
        person->has_totp = false;
        person_journal_log_event(house, conn, "totp-off");
        security_notify(house, person->account, conn, NULL,
                        say(_("Codes of your authenticator are no longer valid. If you did not "
                              "remove it, choose another /password.")));
        step_up_drop_confirmations(house, person);
        person_send_you_row(house, person);
        answer_ok(request, NULL);
    }
}
