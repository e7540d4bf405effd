#include "lobby/house/house_state.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "storage/house/house.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct answer *answer_find(struct answers *answers, int64_t request_id)
{
    for (size_t i = 0; i < answers->count; i++) {
        if (answers->list[i].request == request_id) {
            return &answers->list[i];
        }
    }
    return NULL;
}

static void answers_remove(struct answers *answers, struct answer *answer)
{
    size_t after = (size_t)(&answers->list[--answers->count] - answer);
    memmove(answer, answer + 1, after * sizeof(*answer));
}

/* Forgets the oldest answer. Returns false if only the latest answer is left, which is kept. */
static bool answers_drop_oldest(struct answers *answers)
{
    for (size_t i = 0; i + 1 < answers->count; i++) {
        struct answer *answer = &answers->list[i];
        if (answer->payload != NULL && !answer->is_waiting) {
            answers->dropped =
                answer->request > answers->dropped ? answer->request : answers->dropped;
            answers->bytes -= answer->payload->len;
            payload_release(answer->payload);
            answers_remove(answers, answer);
            return true;
        }
    }
    return false;
}

/* Adds a request that is not answered yet. Returns NULL if ANSWERS_MAX requests are unanswered. */
static struct answer *answers_add_request(struct answers *answers, int64_t request_id)
{
    if (answers->count == ANSWERS_MAX && !answers_drop_oldest(answers)) {
        return NULL;
    }
    struct answer *answer = &answers->list[answers->count++];
    *answer = (struct answer){.request = request_id};
    return answer;
}

/* Marks the request as answered and moves it behind all other answered requests. */
static struct answer *answers_mark_answered(struct answers *answers, struct answer *answer,
                                            struct payload *payload)
{
    struct answer settled = {.request = answer->request, .payload = payload_retain(payload)};
    answers_remove(answers, answer);
    answers->list[answers->count++] = settled;
    answers->bytes += payload->len;
    while (answers->bytes > ANSWERS_BYTES_MAX && answers_drop_oldest(answers)) {
    }
    answers->newest = settled.request > answers->newest ? settled.request : answers->newest;
    return &answers->list[answers->count - 1];
}

void answers_restore_answer(struct answers *answers, int64_t request_id, struct payload *payload)
{
    struct answer *answer = answers_add_request(answers, request_id);
    if (answer != NULL) {
        answers_mark_answered(answers, answer, payload)->is_stored = true;
    }
}

void answers_forget_all(struct answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        payload_release(answers->list[i].payload);
    }
    *answers = (struct answers){0};
}

/* Sends the kept answer to this request again, if the request is answered. Returns false if the
 * request is not among those kept. */
static bool answer_send_again(const struct request *request)
{
    const struct answer *known = answer_find(&request->conn->answers, request->id);
    if (known != NULL && known->payload != NULL && !known->is_waiting) {
        conn_send_payload(request->house, request->conn, known->payload);
    }
    return known != NULL;
}

/* Refuses a request with the code `old`: its answer was forgotten. Returns false. */
static bool answer_refuse_old_request(const struct request *request)
{
    return answer_no(
        request, "old",
        _("That request is too old: give each request a higher number than the last."));
}

/* Registers an incoming request. `only_reads`: the request changes nothing, so its answer need not
 * be kept. Returns true if the caller has to carry it out; otherwise it was answered before, will
 * be answered later, or has just been refused. */
static bool answer_register_request(const struct request *request, bool only_reads)
{
    if (answer_send_again(request)) {
        return false;
    }
    if (only_reads) {
        return true;
    }
    if (request->id <= request->conn->answers.dropped) {
        return answer_refuse_old_request(request);
    }
    return answers_add_request(&request->conn->answers, request->id) != NULL ||
           answer_no(request, "too_fast",
                     _("Too many of your requests are unanswered: wait for the answers."));
}

void answer_mark_request_read_only(const struct request *request)
{
    struct answers *answers = &request->conn->answers;
    struct answer *answer = answer_find(answers, request->id);
    if (answer != NULL) {
        answers_remove(answers, answer);
    }
}

static json_t *answer_make_refusal(int64_t request_id, const char *code, const char *why)
{
    return json_pack("{s:s,s:I,s:s,s:o}", "t", "no", "id", (json_int_t)request_id, "code", code,
                     "why", text_clean_to_json(why));
}

/* Serialises an answer. An answer that is too large for a packet is replaced by a refusal. */
static struct payload *answer_make_payload(int64_t request_id, json_t *message)
{
    struct payload *payload = payload_from_json(message);
    if (payload->len <= PAYLOAD_MAX) {
        return payload;
    }
    payload_release(payload);
    return payload_from_json(answer_make_refusal(
        request_id, "too_long", _("The answer does not fit one message: ask for fewer rows.")));
}

/* Records the answer to a request that has none yet. Returns NULL for a request that only reads:
 * its answer is not kept. */
static struct answer *answer_record(const struct request *request, struct payload *payload)
{
    struct conn *conn = request->conn;
    struct answer *answer = answer_find(&conn->answers, request->id);
    if (answer == NULL || answer->payload != NULL) {
        return NULL;
    }
    if (!conn->is_answered) {
        conn->is_answered = true;
        TAILQ_INSERT_TAIL(&request->house->answered, conn, of_answered);
    }
    return answers_mark_answered(&conn->answers, answer, payload);
}

static void answer_send(const struct request *request, json_t *message)
{
    struct payload *payload = answer_make_payload(request->id, message);
    /* the rate limit of later messages counts long answers, too */
    size_t blocks = payload->len / LIMIT_ANSWER_BYTES;
    request->conn->input.used += (double)blocks;
    (void)answer_record(request, payload);
    conn_send_payload(request->house, request->conn, payload);
    payload_release(payload);
}

void answer_ok(const struct request *request, json_t *fields)
{
    json_t *message = json_pack("{s:s,s:I}", "t", "ok", "id", (json_int_t)request->id);
    if (fields != NULL) {
        (void)json_object_update_new(message, fields);
    }
    answer_send(request, message);
}

void answer_record_refusal(struct conn *conn, int64_t request_id, const char *code, const char *why)
{
    struct payload *payload = payload_from_json(answer_make_refusal(request_id, code, why));
    answers_restore_answer(&conn->answers, request_id, payload);
    payload_release(payload);
}

/* Refuses the request with the sentence `why`, whose reference is taken over. If wait_s is not
 * negative, the refusal tells the client to repeat the request after wait_s seconds. */
static void answer_send_refusal(const struct request *request, const char *code, json_t *why,
                                int64_t wait_s)
{
    json_t *message = answer_make_refusal(request->id, code, "");
    if (wait_s >= 0) {
        (void)json_object_set_new(message, "wait_s", json_integer(wait_s));
    }
    say_set_field(message, "why", why);
    answer_send(request, message);
}

bool answer_no_with_sentence(const struct request *request, const char *code, json_t *why)
{
    answer_send_refusal(request, code, why, -1);
    return false;
}

bool answer_no(const struct request *request, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    answer_send_refusal(request, code, say_with_args(format, args), -1);
    va_end(args);
    return false;
}

bool answer_retry_later(const struct request *request, int64_t wait_s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    answer_send_refusal(request, "wait", say_with_args(format, args), wait_s);
    va_end(args);
    return false;
}

void answer_deny_sign_in(const struct request *request, int64_t attempt_begun_ms)
{
    struct later *later = memory_new(sizeof(*later));
    later->due_ms = attempt_begun_ms + request->house->config.door_denial_ms;
    later->conn = request->conn->id;
    later->request = request->id;
    later->answer = payload_from_json(answer_make_refusal(
        request->id, "denied",
        _("That name does not go with that key or password: check both, or come in as guest.")));
    TAILQ_INSERT_TAIL(&request->house->laters, later, in_list);
    struct answer *answer = answer_record(request, later->answer);
    if (answer != NULL) {
        answer->is_waiting = true;
    }
}

static void free_delayed_answer(struct house *house, struct later *later)
{
    TAILQ_REMOVE(&house->laters, later, in_list);
    payload_release(later->answer);
    free(later);
}

static void send_delayed_answer(struct house *house, struct later *later)
{
    struct conn *conn = conn_find(house, later->conn);
    struct answer *answer = conn == NULL ? NULL : answer_find(&conn->answers, later->request);
    if (answer != NULL) {
        answer->is_waiting = false;
    }
    if (conn != NULL) {
        conn_send_payload(house, conn, later->answer);
    }
    free_delayed_answer(house, later);
}

void answers_send_due(struct house *house)
{
    struct later *next = NULL;
    for (struct later *later = TAILQ_FIRST(&house->laters); later != NULL; later = next) {
        next = TAILQ_NEXT(later, in_list);
        if (later->due_ms <= house->now_ms) {
            send_delayed_answer(house, later);
        }
    }
}

int64_t answers_next_due_ms(const struct house *house)
{
    int64_t next_ms = INT64_MAX;
    const struct later *later = NULL;
    TAILQ_FOREACH(later, &house->laters, in_list)
    {
        next_ms = later->due_ms < next_ms ? later->due_ms : next_ms;
    }
    return next_ms;
}

/* Drops all delayed answers without sending them. */
static void answers_drop_delayed(struct house *house)
{
    struct later *next = NULL;
    for (struct later *later = TAILQ_FIRST(&house->laters); later != NULL; later = next) {
        next = TAILQ_NEXT(later, in_list);
        free_delayed_answer(house, later);
    }
}

#define PERIOD_MS 15000
#define PERIOD_BYTES ((size_t)256 << 10)
#define OK_ANSWER_SIZE 48
#define IDS_BYTES 44 /* maximum bytes of two numbers, two blanks, a line end and a NUL */

/* An encrypted row begins with its nonce and its authentication code. */
#define HEAD_BYTES (crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES)

_Static_assert(crypto_secretbox_KEYBYTES == HOUSE_KEY_BYTES, "size of the key");

struct unclaimed_answers {
    int64_t conn;
    struct answers answers;
};

/* Writes to `out` the answer to this request that is `ok` without fields. */
static const char *write_ok_answer(int64_t request_id, char out[OK_ANSWER_SIZE])
{
    (void)snprintf(out, OK_ANSWER_SIZE, "{\"t\":\"ok\",\"id\":%" PRId64 "}", request_id);
    return out;
}

/* Appends to the row the connection's answers that are not stored yet, one a line. */
static void append_new_answers(struct conn *conn, struct text *row)
{
    for (size_t i = 0; conn->peer == PEER_SESSION && i < conn->answers.count; i++) {
        struct answer *answer = &conn->answers.list[i];
        char bare[OK_ANSWER_SIZE];
        if (answer->payload == NULL || answer->is_stored) {
            continue;
        }
        const char *text = answer->payload->json;
        text_put_number(row, conn->id);
        text_put_char(row, ' ');
        text_put_number(row, answer->request);
        if (strcmp(text, write_ok_answer(answer->request, bare)) != 0) {
            text_put_char(row, ' ');
            text_put(row, text);
        }
        text_put_char(row, '\n');
        answer->is_stored = true;
    }
}

/* Returns how many bytes append_new_answers adds at most for the connection. */
static size_t max_new_answers_bytes(const struct conn *conn)
{
    size_t bytes = 0;
    for (size_t i = 0; conn->peer == PEER_SESSION && i < conn->answers.count; i++) {
        const struct answer *answer = &conn->answers.list[i];
        if (answer->payload != NULL && !answer->is_stored) {
            bytes += IDS_BYTES + answer->payload->len;
        }
    }
    return bytes;
}

/* Counts a new row toward the current period. If this ends the period, deletes the rows of the
 * oldest period. */
static void count_row_and_delete_oldest_rows(struct house *house, int64_t row_number,
                                             size_t row_bytes)
{
    struct stored_answers *state = &house->stored_answers;
    state->period_bytes += row_bytes;
    if (house->now_ms - state->period_begun_ms < PERIOD_MS && state->period_bytes < PERIOD_BYTES) {
        return;
    }
    stored_or_fail(house, storage_answers_delete(house->storage, state->newest_rows[0]));
    memmove(&state->newest_rows[0], &state->newest_rows[1],
            (ANSWER_PERIODS - 1) * sizeof(state->newest_rows[0]));
    state->newest_rows[ANSWER_PERIODS - 1] = row_number;
    state->period_begun_ms = house->now_ms;
    state->period_bytes = 0;
}

/* Encrypts the row in place, so that no copy of secret answers stays in memory. The text begins
 * after HEAD_BYTES unused bytes and has `len` bytes. */
static void encrypt_and_store(struct house *house, uint8_t *row, size_t len)
{
    int64_t number = 0;
    const uint8_t *key = house->config.answers_key;
    const uint8_t *text = &row[HEAD_BYTES];
    /* The nonce is derived from the text, so it repeats only with the same text. */
    (void)crypto_generichash(row, crypto_secretbox_NONCEBYTES, text, len, key, HOUSE_KEY_BYTES);
    (void)crypto_secretbox_easy(&row[crypto_secretbox_NONCEBYTES], text, len, row, key);
    stored_or_fail(house, storage_answers_add(house->storage, row, HEAD_BYTES + len, &number));
    count_row_and_delete_oldest_rows(house, number, HEAD_BYTES + len);
}

static void store_new_answers(struct house *house)
{
    struct conn *conn = NULL;
    size_t size = 0;
    TAILQ_FOREACH(conn, &house->answered, of_answered)
    {
        size += max_new_answers_bytes(conn);
    }
    if (size == 0) {
        return;
    }
    uint8_t *row = memory_new(HEAD_BYTES + size);
    struct text plain = text_init((char *)&row[HEAD_BYTES], size);
    TAILQ_FOREACH(conn, &house->answered, of_answered)
    {
        append_new_answers(conn, &plain);
    }
    encrypt_and_store(house, row, plain.len);
    free(row);
}

void stored_answers_write(struct house *house)
{
    bool is_writing = !house->is_failed && !house->is_full && !house->is_read_only &&
                      storage_is_dirty(house->storage);
    if (is_writing && !TAILQ_EMPTY(&house->answered)) {
        store_new_answers(house);
    }
    struct conn *conn = NULL;
    while ((conn = TAILQ_FIRST(&house->answered)) != NULL) {
        TAILQ_REMOVE(&house->answered, conn, of_answered);
        conn->is_answered = false;
    }
}

/* Reads one line that append_new_answers wrote. `line` has no line end any more. */
static void read_stored_answer(struct house *house, const char *line)
{
    struct index *index = &house->stored_answers.unclaimed;
    char bare[OK_ANSWER_SIZE];
    char *at = NULL;
    int64_t conn = strtoll(line, &at, 10);
    int64_t request = strtoll(at, &at, 10);
    const char *text = *at == ' ' ? at + 1 : write_ok_answer(request, bare);
    struct payload *payload = payload_new(text, strlen(text));
    struct unclaimed_answers *unclaimed = index_find(index, &conn, sizeof(conn));
    if (unclaimed == NULL) {
        unclaimed = memory_new(sizeof(*unclaimed));
        unclaimed->conn = conn;
        index_add(index, &unclaimed->conn, sizeof(unclaimed->conn), unclaimed);
    }
    answers_restore_answer(&unclaimed->answers, request, payload);
    payload_release(payload);
}

/* Decrypts a row and reads its answers. A row encrypted with another key belongs to a house that
 * was shut down: no session is left to ask for its answers. */
static bool decrypt_and_read_answers(void *context, const void *row, size_t len)
{
    struct house *house = context;
    const uint8_t *bytes = row;
    if (len <= HEAD_BYTES) {
        return true;
    }
    size_t text_len = len - HEAD_BYTES;
    char *text = memory_new(text_len + 1);
    if (crypto_secretbox_open_easy((uint8_t *)text, &bytes[crypto_secretbox_NONCEBYTES],
                                   len - crypto_secretbox_NONCEBYTES, bytes,
                                   house->config.answers_key) == 0) {
        char *rest = text;
        for (const char *line = NULL; (line = strsep(&rest, "\n")) != NULL && line[0] != '\0';) {
            read_stored_answer(house, line);
        }
    }
    sodium_memzero(text, text_len);
    free(text);
    return true;
}

void stored_answers_load(struct house *house)
{
    struct stored_answers *state = &house->stored_answers;
    memset(state->newest_rows, 0, sizeof(state->newest_rows));
    state->period_begun_ms = house->now_ms;
    state->period_bytes = 0;
    stored_or_fail(house, storage_answers_each(house->storage, decrypt_and_read_answers, house));
}

/* Removes the unclaimed answers of a connection from the index and returns them. */
static struct answers take_unclaimed_answers(struct house *house,
                                             struct unclaimed_answers *unclaimed)
{
    struct answers answers = unclaimed->answers;
    index_remove(&house->stored_answers.unclaimed, &unclaimed->conn, sizeof(unclaimed->conn));
    free(unclaimed);
    return answers;
}

void stored_answers_claim(struct house *house, struct conn *conn)
{
    struct unclaimed_answers *unclaimed =
        index_find(&house->stored_answers.unclaimed, &conn->id, sizeof(conn->id));
    if (unclaimed != NULL) {
        answers_forget_all(&conn->answers);
        conn->answers = take_unclaimed_answers(house, unclaimed);
    }
}

void stored_answers_forget_unclaimed(struct house *house)
{
    INDEX_ITEMS_EACH(struct unclaimed_answers, unclaimed, &house->stored_answers.unclaimed) {
        struct answers answers = take_unclaimed_answers(house, unclaimed);
        answers_forget_all(&answers);
    }
}

void answers_clear(struct house *house)
{
    answers_drop_delayed(house);
    stored_answers_forget_unclaimed(house);
}

void read_only_refuse(const struct request *request)
{
    answer_no(request, "read_only", _("The disk is full: try that again when there is room."));
}

static const struct message_def *find_message_def(const json_t *body)
{
    const char *type = json_read_type(body);
    for (size_t i = 0; message_list[i].type != NULL; i++) {
        if (strcmp(message_list[i].type, type) == 0) {
            return &message_list[i];
        }
    }
    return NULL;
}

/* A message that has arrived from a peer. */
struct message {
    struct request request;
    const struct message_def *def;
    size_t len; /* length of the packet in bytes */
};

/* Returns true if this peer's messages are requests, which have an id. */
static bool message_is_request(const struct message *message)
{
    return (message->request.conn->peer & (PEER_SESSION | PEER_OPERATOR)) != 0;
}

static bool message_has_flag(const struct message *message, enum message_flags flags)
{
    return (message->def->flags & flags) != 0;
}

/* Returns how many additional messages the rate limit counts because the message is long. */
static uint32_t message_compute_length_cost(const struct message *message)
{
    return (uint32_t)(message->len / LIMIT_MESSAGE_BYTES);
}

/* Returns how many messages the rate limit counts this message as, usually 1. */
static double message_compute_cost(const struct message *message)
{
    double cost = message->def->run == message_hello  ? LIMIT_HELLO_COST
                  : message_has_flag(message, COSTLY) ? LIMIT_LEADERS_COST
                                                      : 1;
    return cost + message_compute_length_cost(message);
}

/* Returns true when the message is within the rate limit. Messages beyond the limit are refused;
 * too many of those end the connection. */
static bool message_is_within_rate(const struct message *message)
{
    struct house *house = message->request.house;
    struct conn *conn = message->request.conn;
    const struct house_config *config = &house->config;
    const struct bucket_rule rule = {config->limits_input_burst, config->limits_input_per_s};
    if (conn->peer != PEER_SESSION ||
        bucket_take_tokens(&conn->input, &rule, message_compute_cost(message), house->now_ms)) {
        return true;
    }
    conn->input_excess += 1 + message_compute_length_cost(message);
    if (conn->input_excess > config->limits_input_excess) {
        journal_write(house, conn, "flood", JOURNAL_PAIRS("address", conn->address));
        conn_dismiss(house, conn,
                     say(_("Far too many messages at once: connect again, more slowly.")));
    }
    return false;
}

/* Checks what the message needs (request_need). If a need is not met, refuses the request and
 * returns false. */
static bool message_check_needs(struct message *message)
{
    struct request *request = &message->request;
    for (request_need *const *need = message->def->needs; *need != NULL; need++) {
        if (!(*need)(request)) {
            return false;
        }
    }
    return true;
}

/* Handles a request of a session or of an operator. Returns false if the message has no id. */
static bool message_handle_request(struct message *message)
{
    struct request *request = &message->request;
    struct house *house = request->house;
    if (!json_read_number(request->body, "id", 1, INT64_MAX, &request->id)) {
        return false;
    }
    bool is_in_pace = message_is_within_rate(message);
    if (request->conn->is_ending ||
        !answer_register_request(request, message_has_flag(message, READS_ONLY))) {
        return true;
    }
    if (!is_in_pace) {
        answer_no(request, "too_fast", _("That was too fast: wait a second, try again."));
        return true;
    }
    if (!message_has_flag(message, IDLE)) {
        PARTS_CALL(active, house, request->conn);
    }
    if (house->is_read_only && !message_has_flag(message, READS_ONLY | WHILE_FULL)) {
        read_only_refuse(request);
        return true;
    }
    house->doing.request = request->id;
    if (message_check_needs(message)) {
        message->def->run(request);
    }
    return true;
}

/* Answers a request that a peer repeats after a resync, although its session has already left the
 * phase in which that request is allowed. If the first answer is lost because the disk was full, a
 * new answer names the phase that the session has reached. Returns false for any other message. */
static bool message_answer_repeated(struct message *message)
{
    struct request *request = &message->request;
    const struct conn *conn = request->conn;
    if (!message_is_request(message) ||
        !json_read_number(request->body, "id", 1, INT64_MAX, &request->id)) {
        return false;
    }
    if (answer_send_again(request)) {
        return true;
    }
    if (message_has_flag(message, READS_ONLY) && request->id < conn->answers.newest) {
        (void)answer_refuse_old_request(request);
        return true;
    }
    if (!conn->is_returned || !message_has_flag(message, ENTERS) ||
        !answer_register_request(request, false)) {
        return false;
    }
    json_t *answer =
        json_pack("{s:s,s:s}", "result", conn->phase == PHASE_IN ? "in" : "visitor", "name", "");
    PARTS_CALL(describe, request->house, conn, answer);
    answer_ok(request, answer);
    return true;
}

static bool message_dispatch(struct message *message)
{
    const struct message_def *def = message->def;
    const struct conn *conn = message->request.conn;
    if (def == NULL || (def->peers & conn->peer) == 0) {
        return false;
    }
    bool is_hello = def->run == message_hello;
    if (conn->is_ending) {
        return true; /* this connection has already been sent `bye` */
    }
    if (conn->awaits_hello && !is_hello) {
        return true; /* the peer sent this message before it read our `resync`; it will send the
                        message again */
    }
    if ((def->phases & conn->phase) == 0) {
        return message_answer_repeated(message);
    }
    if (message_is_request(message) && !is_hello) {
        return message_handle_request(message);
    }
    bool is_wanted = is_hello && conn->awaits_hello;
    /* The `hello` with which a peer answers `resync` counts for the rate limit, but is never
     * refused. */
    if (message_is_within_rate(message) || (is_wanted && !conn->is_ending)) {
        def->run(&message->request);
    }
    return true;
}

/* Returns the number, from 1, of the part that this kind of worker process serves; 0: none. */
static size_t part_number_of_worker(enum peer peer)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if (house_parts[i]->helper == peer) {
            return i + 1;
        }
    }
    return 0;
}

bool message_receive(struct house *house, struct conn *conn, const char *bytes, size_t len)
{
    bool is_too_long = conn->peer == PEER_SESSION && len > REQUEST_BYTES_MAX;
    json_t *body = is_too_long ? NULL : json_read_request(bytes, len);
    struct message message = {{house, conn, .body = body}, find_message_def(body), len};
    house->doing = (struct doing){.conn = conn->id, .part = part_number_of_worker(conn->peer)};
    bool is_good = body != NULL && message_dispatch(&message);
    json_decref(body);
    return is_good;
}
