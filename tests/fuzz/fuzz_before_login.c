#include "lobby/house/house.h"
#include "lobby/protocol/protocol.h"
#include "storage/accounts/accounts.h"
#include "storage/storage.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

/*
 * Clients that are not signed in, in a house where ada has an account with a password. Every line
 * of the input is one event, chosen by its first byte:
 *
 * 0–3 the rest of the line is a message from that connection; connections 2 and 3 use telnet
 *
 * + one second passes for every byte of the line
 *
 * @ the core dies and the next one starts with the same data
 *
 * The password workers answer correctly. Nobody knows ada's password or has her key, so nobody may
 * ever be signed in as ada. No client may be told about the house before the core has let it in. A
 * client that is let in is disconnected, and connects again without being signed in.
 */
#define STRANGERS 4
#define WORKER (STRANGERS + 1)
#define TOLD_MAX (WORKER + 1)
#define JOBS_MAX 64

static const char ada_key[] = "SHA256:the key of ada";
static const char ada_hash[] = "the hash of ada";

struct fuzz {
    struct storage *storage;
    struct house *house;
    int64_t now_ms;
    uint8_t random;
    bool is_in[TOLD_MAX];
    json_t *jobs; /* jobs that wait for the password worker, the oldest first */
};

static void fill_random(void *context, void *bytes, size_t len)
{
    struct fuzz *fuzz = context;
    memset(bytes, fuzz->random++, len);
}

static void assert_storage_works(enum house_result result)
{
    fuzz_assert(result != HOUSE_STORAGE_FAILED);
}

/* Checks that a person who is not signed in may receive the message. */
static void check_message(struct fuzz *fuzz, int64_t conn, const json_t *message)
{
    static const char *const allowed[] = {"welcome", "ok", "no", "resync", "bye"};
    const char *type = json_read_text(message, "t", 32);
    const json_t *you = json_object_get(message, "you");
    bool is_allowed = false;
    fuzz_assert(type != NULL);
    if (json_is_object(you)) {
        const char *name = json_read_text(you, "name", STORAGE_NAME_SIZE);
        fuzz_assert(name != NULL && strcmp(name, "ada") != 0);
        fuzz->is_in[conn] = true;
    }
    for (size_t i = 0; i < ARRAY_LEN(allowed); i++) {
        is_allowed = is_allowed || strcmp(type, allowed[i]) == 0;
    }
    fuzz_assert(is_allowed || fuzz->is_in[conn]);
}

static void commit_and_check_messages(struct fuzz *fuzz)
{
    struct house_output output;
    fuzz_assert(house_commit(fuzz->house) == HOUSE_OK);
    while (house_output(fuzz->house, &output) != 0) {
        json_t *message = json_read_object(output.json, output.len);
        fuzz_assert(message != NULL && output.len <= 65536);
        if (output.conn == WORKER) {
            fuzz_assert(json_array_append(fuzz->jobs, message) == 0);
        } else {
            check_message(fuzz, output.conn, message);
        }
        json_decref(message);
    }
}

static void connect_peer(struct fuzz *fuzz, int64_t conn)
{
    fuzz->is_in[conn] = false;
    assert_storage_works(house_connect(fuzz->house, fuzz->now_ms, conn,
                                       conn == WORKER ? PEER_AUTH : PEER_SESSION, "203.0.113.7",
                                       conn < 3 ? "ssh" : "telnet"));
}

static void send_message(struct fuzz *fuzz, int64_t conn, const char *json, size_t len)
{
    enum house_result result = house_receive(fuzz->house, fuzz->now_ms, conn, json, len);
    assert_storage_works(result);
    commit_and_check_messages(fuzz);
    if (result == HOUSE_END_CONNECTION || (fuzz->is_in[conn] && conn != WORKER)) {
        assert_storage_works(house_disconnect(fuzz->house, fuzz->now_ms, conn));
        connect_peer(fuzz, conn);
    }
}

/* Answers one job: the hash is "#" followed by the password. */
static json_t *answer_job(const json_t *job)
{
    char hash[256];
    const char *password = json_read_text(job, "password", 128);
    const char *wanted = json_read_text(job, "hash", 128);
    fuzz_assert(password != NULL);
    (void)snprintf(hash, sizeof(hash), "#%.100s", password);
    if (wanted != NULL) {
        return json_pack("{s:s,s:O,s:b}", "t", "checked", "job", json_object_get(job, "job"),
                         "is_right", strcmp(wanted, hash) == 0);
    }
    return json_pack("{s:s,s:O,s:s}", "t", "hashed", "job", json_object_get(job, "job"), "hash",
                     hash);
}

static void answer_jobs(struct fuzz *fuzz)
{
    for (int i = 0; i < JOBS_MAX && json_array_size(fuzz->jobs) > 0; i++) {
        json_t *job = json_incref(json_array_get(fuzz->jobs, 0));
        fuzz_assert(json_array_remove(fuzz->jobs, 0) == 0);
        if (json_object_get(job, "job") != NULL) {
            json_t *answer = answer_job(job);
            char *text = json_dumps(answer, JSON_COMPACT);
            fuzz_assert(text != NULL);
            send_message(fuzz, WORKER, text, strlen(text));
            free(text);
            json_decref(answer);
        }
        json_decref(job);
    }
}

static void open_house(struct fuzz *fuzz)
{
    static const char hello[] = "{\"t\":\"hello\",\"protocol\":3}";
    struct house_config config = house_config_default();
    config.random = fill_random;
    config.random_context = fuzz;
    fuzz->house = house_new(&config, fuzz->storage, fuzz->now_ms);
    fuzz_assert(fuzz->house != NULL);
    for (int64_t conn = 1; conn <= WORKER; conn++) {
        connect_peer(fuzz, conn);
    }
    send_message(fuzz, WORKER, hello, strlen(hello));
}

static void finish_event(struct fuzz *fuzz)
{
    answer_jobs(fuzz);
    if (house_next_tick_ms(fuzz->house) <= fuzz->now_ms) {
        assert_storage_works(house_tick(fuzz->house, fuzz->now_ms));
        commit_and_check_messages(fuzz);
    }
    for (int64_t conn = 1; conn <= STRANGERS; conn++) {
        if (fuzz->is_in[conn]) {
            assert_storage_works(house_disconnect(fuzz->house, fuzz->now_ms, conn));
            connect_peer(fuzz, conn);
        }
    }
    commit_and_check_messages(fuzz);
}

/* Whether the message claims that a signature with ada's key is right. Verifying signatures is the
 * session's task, which this target does not test. */
static bool claims_to_hold_adas_key(const char *json, size_t len)
{
    json_t *body = json_read_object(json, len);
    const char *key = json_read_text(json_object_get(body, "key"), "fingerprint", 64);
    bool is_hers = key != NULL && strcmp(key, ada_key) == 0;
    json_decref(body);
    return is_hers;
}

static void run_event(struct fuzz *fuzz, const char *line, size_t len)
{
    if (line[0] == '+') {
        fuzz->now_ms += 1000 * (int64_t)len;
    } else if (line[0] == '@') {
        house_free(fuzz->house);
        (void)json_array_clear(fuzz->jobs);
        open_house(fuzz);
    } else if (line[0] >= '0' && line[0] < '0' + STRANGERS &&
               !claims_to_hold_adas_key(line + 1, len - 1)) {
        send_message(fuzz, line[0] - '0' + 1, line + 1, len - 1);
    }
    finish_event(fuzz);
}

static void add_adas_account(struct fuzz *fuzz)
{
    struct storage_account ada = {.kind = STORAGE_PLAYER, .role = STORAGE_ROLE_ADMIN};
    struct storage_key key = {.type = "ssh-ed25519"};
    int64_t id = 0;
    (void)snprintf(ada.name, sizeof(ada.name), "ada");
    (void)snprintf(ada.skeleton, sizeof(ada.skeleton), "ada");
    (void)snprintf(ada.settings, sizeof(ada.settings), "{\"telnet\":true}");
    (void)snprintf(ada.password_hash, sizeof(ada.password_hash), "%s", ada_hash);
    (void)snprintf(key.fingerprint, sizeof(key.fingerprint), "%s", ada_key);
    fuzz_assert(storage_account_add(fuzz->storage, &ada, &id) == STORAGE_OK);
    fuzz_assert(storage_key_add(fuzz->storage, id, &key) == STORAGE_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const char hello[] = "{\"t\":\"hello\",\"protocol\":3}";
    char why[STORAGE_WHY_SIZE];
    struct fuzz fuzz = {.now_ms = INT64_C(1750000000000), .jobs = json_array()};
    fuzz_assert(storage_open(STORAGE_IN_MEMORY, &fuzz.storage, why) == STORAGE_OK);
    add_adas_account(&fuzz);
    open_house(&fuzz);
    send_message(&fuzz, 1, hello, strlen(hello));
    send_message(&fuzz, 3, hello, strlen(hello));
    struct fuzz_lines lines = fuzz_split_lines(bytes, len);
    const char *line;
    for (size_t line_len; fuzz_next_line(&lines, &line, &line_len);) {
        run_event(&fuzz, line, line_len);
    }
    house_free(fuzz.house);
    storage_close(fuzz.storage);
    json_decref(fuzz.jobs);
    return 0;
}
