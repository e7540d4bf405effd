#include "lobby/house/parts.h"

#include "storage/house/house.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERIODS 8
#define PERIOD_MS 15000
#define PERIOD_BYTES ((size_t)256 << 10)
#define OK_ANSWER_SIZE 48
#define IDS_BYTES 44 /* maximum bytes of two numbers, two blanks, a line end and a NUL */

/* An encrypted row begins with its nonce and its authentication code. */
#define HEAD_BYTES (crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES)

_Static_assert(crypto_secretbox_KEYBYTES == HOUSE_KEY_BYTES, "size of the key");

struct stored_answers {
    struct index unclaimed; /* answers for connections that have not returned yet, by connection */
    int64_t newest_rows[PERIODS]; /* the newest row that was stored in each period; the oldest
                                     period comes first */
    int64_t period_begun_ms;      /* when the current period began */
    size_t period_bytes;          /* bytes stored in the current period */
};

/* The text of a row of answers before it is encrypted. */
struct plain_row {
    char *text;
    size_t size;
    size_t len;
};

struct unclaimed_answers {
    int64_t conn;
    struct answers answers;
};

static struct stored_answers *stored_answers_get_state(struct house *house)
{
    return PART_STATE(house, answers);
}

/* Writes to `out` the answer to this request that is `ok` without fields. */
static const char *write_ok_answer(int64_t request_id, char out[OK_ANSWER_SIZE])
{
    (void)snprintf(out, OK_ANSWER_SIZE, "{\"t\":\"ok\",\"id\":%" PRId64 "}", request_id);
    return out;
}

/* Appends to the row the connection's answers that are not stored yet, one a line. */
static void append_new_answers(struct conn *conn, struct plain_row *row)
{
    for (size_t i = 0; conn->peer == PEER_SESSION && i < conn->answers.count; i++) {
        struct answer *answer = &conn->answers.list[i];
        char bare[OK_ANSWER_SIZE];
        if (answer->payload == NULL || answer->is_stored) {
            continue;
        }
        const char *text = payload_text(answer->payload);
        bool is_bare = strcmp(text, write_ok_answer(answer->request, bare)) == 0;
        row->len += (size_t)snprintf(&row->text[row->len], row->size - row->len,
                                     "%" PRId64 " %" PRId64 "%s%s\n", conn->id, answer->request,
                                     is_bare ? "" : " ", is_bare ? "" : text);
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
            bytes += IDS_BYTES + payload_len(answer->payload);
        }
    }
    return bytes;
}

/* Counts a new row toward the current period. If this ends the period, deletes the rows of the
 * oldest period. */
static void count_row_and_delete_oldest_rows(struct house *house, int64_t row_number,
                                             size_t row_bytes)
{
    struct stored_answers *state = stored_answers_get_state(house);
    state->period_bytes += row_bytes;
    if (house->now_ms - state->period_begun_ms < PERIOD_MS && state->period_bytes < PERIOD_BYTES) {
        return;
    }
    stored_or_fail(house, storage_answers_delete(house->storage, state->newest_rows[0]));
    memmove(&state->newest_rows[0], &state->newest_rows[1],
            (PERIODS - 1) * sizeof(state->newest_rows[0]));
    state->newest_rows[PERIODS - 1] = row_number;
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
    struct plain_row plain = {.text = (char *)&row[HEAD_BYTES], .size = size};
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
    struct index *index = &stored_answers_get_state(house)->unclaimed;
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

static void stored_answers_load(struct house *house)
{
    struct stored_answers *state = stored_answers_get_state(house);
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
    index_remove(&stored_answers_get_state(house)->unclaimed, &unclaimed->conn,
                 sizeof(unclaimed->conn));
    free(unclaimed);
    return answers;
}

void stored_answers_claim(struct house *house, struct conn *conn)
{
    struct unclaimed_answers *unclaimed =
        index_find(&stored_answers_get_state(house)->unclaimed, &conn->id, sizeof(conn->id));
    if (unclaimed != NULL) {
        answers_forget_all(&conn->answers);
        conn->answers = take_unclaimed_answers(house, unclaimed);
    }
}

static void forget_unclaimed_answers(struct house *house)
{
    struct unclaimed_answers *unclaimed = NULL;
    INDEX_EACH(&stored_answers_get_state(house)->unclaimed, unclaimed)
    {
        struct answers answers = take_unclaimed_answers(house, unclaimed);
        answers_forget_all(&answers);
    }
}

static void stored_answers_clear(struct house *house)
{
    answers_drop_delayed(house);
    forget_unclaimed_answers(house);
}

static void forget_answers_of_gone_conns(struct house *house, UNUSED bool conns_survived)
{
    forget_unclaimed_answers(house);
}

const struct part answers_part = {
    .name = "answers",
    .house_size = sizeof(struct stored_answers),
    .works_when_full = true,
    .load = stored_answers_load,
    .clear = stored_answers_clear,
    .tick = answers_send_due,
    .next_ms = answers_next_due_ms,
    .settled = forget_answers_of_gone_conns,
};
