#include "daemon/processes/workers/workers.h"

#include "lobby/protocol/protocol.h"

#include <errno.h>
#include <liboath/oath.h>
#include <malloc.h>
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Waits until the socket is readable or writable, and gives signs of life meanwhile. */
static enum packet_result wait_for_socket(const struct worker *worker, short events)
{
    struct pollfd wanted = {.fd = worker->socket, .events = events};
    int ready = 0;
    while (ready == 0 || (ready < 0 && errno == EINTR)) {
        life_give_sign(worker->metrics, LIFE_WAITS);
        ready = poll(&wanted, 1, LIFE_EVERY_MS);
    }
    life_give_sign(worker->metrics, LIFE_WORKS);
    return ready > 0 ? PACKET_OK : PACKET_BAD;
}

/* Sends a message, and waits until the socket has room for it. Takes over the reference. */
static enum packet_result send_message(const struct worker *worker, json_t *message)
{
    char *json = must_format_json(message);
    enum packet_result result = packet_send(worker->socket, json, strlen(json), -1);
    while (result == PACKET_AGAIN) {
        result = wait_for_socket(worker, POLLOUT);
        if (result == PACKET_OK) {
            result = packet_send(worker->socket, json, strlen(json), -1);
        }
    }
    free(json);
    return result;
}

static enum packet_result send_hello(const struct worker *worker)
{
    return send_message(worker,
                        json_pack("{s:s, s:i, s:s}", "t", "hello", "protocol", PROTOCOL_NUMBER,
                                  "software", "trickhouse " TRICKHOUSE_VERSION));
}

static enum packet_result handle_pushed_message(const struct worker *worker, const json_t *message)
{
    const char *type = json_read_type(message);
    if (type[0] == '\0') {
        return PACKET_BAD;
    }
    if (strcmp(type, "resync") == 0) {
        return send_hello(worker);
    }
    for (const struct worker_push *push = worker->pushes; push->type != NULL; push++) {
        json_t *answer =
            strcmp(push->type, type) == 0 ? push->take(worker->context, message) : NULL;
        if (answer != NULL) {
            return send_message(worker, answer);
        }
    }
    return PACKET_OK;
}

/* Handles one packet from the core, overwrites the packet, and sends the answer. */
static enum packet_result handle_packet(const struct worker *worker, char *bytes, size_t len)
{
    json_t *message = json_read_object(bytes, len);
    sodium_memzero(bytes, len); /* the packet may have held a password or a key */
    enum packet_result result = handle_pushed_message(worker, message);
    json_decref(message);
    return result;
}

/* Does a piece of the work that was put off, or waits for a message if there is none. */
static enum packet_result work_or_wait(const struct worker *worker)
{
    json_t *answer = worker->work == NULL ? NULL : worker->work(worker->context);
    if (answer != NULL) {
        return send_message(worker, answer);
    }
    if (worker->wait == NULL) {
        return wait_for_socket(worker, POLLIN);
    }
    life_give_sign(worker->metrics, LIFE_WAITS);
    worker->wait(worker->context);
    return PACKET_OK;
}

int worker_run(const struct worker *worker)
{
    char buffer[PACKET_MAX];
    enum packet_result result = send_hello(worker);
    while (result == PACKET_OK) {
        size_t len;
        life_give_sign(worker->metrics, LIFE_WORKS);
        result = packet_receive(worker->socket, buffer, &len, NULL);
        if (result == PACKET_OK) {
            result = handle_packet(worker, buffer, len);
        } else if (result == PACKET_AGAIN) {
            result = work_or_wait(worker);
        }
    }
    if (result == PACKET_CLOSED) {
        return 0;
    }
    log_event(LOG_LEVEL_ERROR, 0, "the core sent a malformed message");
    return 1;
}

#define PASSES 3
#define MEMORY_BYTES (64U << 20)
/* longest password that is hashed, in bytes; the house allows only shorter ones */
#define PASSWORD_MAX 1024
#define HASH_MAX (crypto_pwhash_STRBYTES - 1)
#define SECRET_MAX 128 /* length in base32 of an authenticator's secret */
#define CODE_DIGITS 6
#define CODE_STEPS 1 /* a code is accepted this many time steps too early or too late */

/* Overwrites and frees memory that jansson allocated: the JSON values of messages contain
 * passwords. */
static void wipe_and_free(void *memory)
{
    if (memory != NULL) {
        sodium_memzero(memory, malloc_usable_size(memory));
        free(memory);
    }
}

/* Exits, since without memory every answer would be wrong. A new process may get more memory. */
static void exit_when_out_of_memory(void)
{
    log_event(LOG_LEVEL_ERROR, 0, "no memory: hashing a password needs %u MiB", MEMORY_BYTES >> 20);
    exit(1);
}

static bool matches_hash(const char *password, const char *hash_text)
{
    errno = 0;
    bool is_right = crypto_pwhash_str_verify(hash_text, password, strlen(password)) == 0;
    if (!is_right && errno == ENOMEM) {
        exit_when_out_of_memory();
    }
    return is_right;
}

static bool read_job_number(const json_t *message, int64_t *job)
{
    return json_read_number(message, "job", 0, INT64_MAX, job);
}

static json_t *refuse_job(void)
{
    log_event(LOG_LEVEL_WARN, 0, "the core sent a malformed job");
    return NULL;
}

/* Checks an authenticator's code (RFC 6238): accepts the code of the current time step, of the step
 * before and of the step after. */
static json_t *answer_code_check(UNUSED void *context, const json_t *message)
{
    int64_t job, at_s;
    const char *secret = json_read_text(message, "secret", SECRET_MAX);
    const char *code = json_read_text(message, "code", PASSWORD_MAX);
    if (!read_job_number(message, &job) || secret == NULL || code == NULL ||
        !json_read_number(message, "at_s", 0, INT64_MAX, &at_s)) {
        return refuse_job();
    }
    char *key = NULL;
    size_t key_len = 0;
    uint64_t step = 0;
    bool is_right =
        strlen(code) == CODE_DIGITS &&
        oath_base32_decode(secret, strlen(secret), &key, &key_len) == OATH_OK &&
        oath_totp_validate3(key, key_len, (time_t)at_s, OATH_TOTP_DEFAULT_TIME_STEP_SIZE,
                            OATH_TOTP_DEFAULT_START_TIME, CODE_STEPS, NULL, &step, code) >= 0;
    wipe_and_free(key);
    return json_pack("{s:s, s:I, s:b, s:I}", "t", "checked", "job", (json_int_t)job, "is_right",
                     is_right, "step", (json_int_t)step);
}

static json_t *answer_hash_job(UNUSED void *context, const json_t *message)
{
    int64_t job;
    char hash_text[crypto_pwhash_STRBYTES];
    const char *password = json_read_text(message, "password", PASSWORD_MAX);
    if (!read_job_number(message, &job) || password == NULL) {
        return refuse_job();
    }
    if (crypto_pwhash_str(hash_text, password, strlen(password), PASSES, MEMORY_BYTES) != 0) {
        exit_when_out_of_memory();
    }
    return json_pack("{s:s, s:I, s:s}", "t", "hashed", "job", (json_int_t)job, "hash", hash_text);
}

static json_t *answer_password_check(UNUSED void *context, const json_t *message)
{
    int64_t job;
    const char *password = json_read_text(message, "password", PASSWORD_MAX);
    const char *hash_text = json_read_text(message, "hash", HASH_MAX);
    if (!read_job_number(message, &job) || password == NULL || hash_text == NULL) {
        return refuse_job();
    }
    return json_pack("{s:s, s:I, s:b}", "t", "checked", "job", (json_int_t)job, "is_right",
                     matches_hash(password, hash_text));
}

static const struct worker_push pushes[] = {
    {"check", answer_password_check},
    {"hash", answer_hash_job},
    {"totp", answer_code_check},
    {NULL, NULL},
};

int auth_run(int core_socket, const struct metrics *metrics)
{
    json_set_alloc_funcs(malloc, wipe_and_free);
    if (sodium_init() < 0) {
        log_event(LOG_LEVEL_ERROR, 0, "libsodium does not start");
        return 1;
    }
    if (oath_init() != OATH_OK) {
        log_event(LOG_LEVEL_ERROR, 0, "liboath does not start");
        return 1;
    }
    return worker_run(
        &(struct worker){.socket = core_socket, .pushes = pushes, .metrics = metrics});
}
