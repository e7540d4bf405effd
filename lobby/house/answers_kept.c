#include "lobby/house/answers_kept.h"

#include "lobby/house/answers.h"
#include "lobby/house/memory.h"
#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "storage/house/answers.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGE_MS 15000
#define AGE_BYTES ((size_t)256 << 10)
#define HEAD_MAX 48 /* two numbers, blanks and a line end */

/* Precedes the sealed bytes. */
#define SEAL_BYTES (crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES)

_Static_assert(crypto_secretbox_KEYBYTES == HOUSE_KEY_BYTES, "the seal's key");

/* Stored answers for a connection that has not returned yet. */
struct answers_left {
    int64_t conn;
    struct answers answers;
};

static bool answer_is_new(const struct answer *answer)
{
    return answer->payload != NULL && !answer->is_stored;
}

/* The size in bytes of a connection's new answers. */
static size_t kept_room(const struct conn *conn)
{
    size_t room = 0;
    for (size_t i = 0; conn->peer == PEER_SESSION && i < conn->answers.count; i++) {
        const struct answer *answer = &conn->answers.list[i];
        room += answer_is_new(answer) ? HEAD_MAX + payload_len(answer->payload) : 0;
    }
    return room;
}

/* The answer to a request that has no fields. */
static size_t kept_bare(int64_t request, char bare[HEAD_MAX])
{
    return (size_t)snprintf(bare, HEAD_MAX, "{\"t\":\"ok\",\"id\":%" PRId64 "}", request);
}

static size_t kept_write_one(const struct conn *conn, const struct answer *answer, char *out)
{
    char bare[HEAD_MAX];
    size_t bare_len = kept_bare(answer->request, bare);
    size_t len = payload_len(answer->payload);
    size_t at = (size_t)snprintf(out, HEAD_MAX, "%" PRId64 " %" PRId64, conn->id, answer->request);
    if (len != bare_len || memcmp(payload_text(answer->payload), bare, len) != 0) {
        out[at++] = ' ';
        memcpy(&out[at], payload_text(answer->payload), len);
        at += len;
    }
    out[at++] = '\n';
    return at;
}

static size_t kept_write(struct conn *conn, char *out)
{
    size_t at = 0;
    for (size_t i = 0; conn->peer == PEER_SESSION && i < conn->answers.count; i++) {
        struct answer *answer = &conn->answers.list[i];
        if (answer_is_new(answer)) {
            at += kept_write_one(conn, answer, &out[at]);
            answer->is_stored = true;
        }
    }
    return at;
}

/* Registers the row of that number and length as the newest. */
static void kept_age(struct house *house, int64_t number, size_t len)
{
    int64_t *ages = house->kept.ages;
    house->kept.age_bytes += len;
    if (house->now_ms - house->kept.age_ms < AGE_MS && house->kept.age_bytes < AGE_BYTES) {
        return;
    }
    stored_or_fail(house, storage_answers_delete(house->storage, ages[0]));
    memmove(&ages[0], &ages[1], (ANSWERS_AGES - 1) * sizeof(ages[0]));
    ages[ANSWERS_AGES - 1] = number;
    house->kept.age_ms = house->now_ms;
    house->kept.age_bytes = 0;
}

/* `bytes` begins with space for the seal; `len` bytes of text follow. */
static void kept_seal(struct house *house, uint8_t *bytes, size_t len)
{
    int64_t number = 0;
    const uint8_t *key = house->config.answers_key;
    const uint8_t *text = &bytes[SEAL_BYTES];
    uint8_t *sealed = &bytes[crypto_secretbox_NONCEBYTES];
    /* The nonce is derived from the text, so it repeats only with the same text. */
    (void)crypto_generichash(bytes, crypto_secretbox_NONCEBYTES, text, len, key, HOUSE_KEY_BYTES);
    (void)crypto_secretbox_easy(sealed, text, len, bytes, key);
    stored_or_fail(house, storage_answers_add(house->storage, bytes, SEAL_BYTES + len, &number));
    kept_age(house, number, SEAL_BYTES + len);
}

static void kept_store(struct house *house)
{
    struct conn *conn = NULL;
    size_t room = 0;
    TAILQ_FOREACH(conn, &house->answered, of_answered)
    {
        room += kept_room(conn);
    }
    if (room == 0) {
        return;
    }
    uint8_t *bytes = memory_new(SEAL_BYTES + room);
    char *text = (char *)&bytes[SEAL_BYTES];
    size_t len = 0;
    TAILQ_FOREACH(conn, &house->answered, of_answered)
    {
        len += kept_write(conn, &text[len]);
    }
    kept_seal(house, bytes, len);
    free(bytes);
}

void answers_kept_store(struct house *house)
{
    bool is_writing = !house->is_failed && !house->is_full && !house->is_read_only &&
                      storage_is_dirty(house->storage);
    if (is_writing) {
        kept_store(house);
    }
    struct conn *conn = NULL;
    while ((conn = TAILQ_FIRST(&house->answered)) != NULL) {
        TAILQ_REMOVE(&house->answered, conn, of_answered);
        conn->is_answered = false;
    }
}

static struct answers *kept_left(struct house *house, int64_t conn)
{
    struct answers_left *left = index_find(&house->kept.left, &conn, sizeof(conn));
    if (left == NULL) {
        left = memory_new(sizeof(*left));
        left->conn = conn;
        index_add(&house->kept.left, &left->conn, sizeof(left->conn), left);
    }
    return &left->answers;
}

/* Reads a line that kept_write_one wrote, without the line end. */
static void kept_read_line(struct house *house, const char *line, size_t len)
{
    char bare[HEAD_MAX];
    char *at = NULL;
    int64_t conn = strtoll(line, &at, 10);
    int64_t request = strtoll(at, &at, 10);
    const char *end = line + len;
    struct payload *payload = at < end ? payload_new(at + 1, (size_t)(end - at) - 1)
                                       : payload_new(bare, kept_bare(request, bare));
    answers_keep(kept_left(house, conn), request, payload);
    payload_release(payload);
}

static void kept_read_text(struct house *house, const char *text, size_t len)
{
    const char *end = text + len;
    const char *line_end = NULL;
    for (; (line_end = memchr(text, '\n', (size_t)(end - text))) != NULL; text = line_end + 1) {
        kept_read_line(house, text, (size_t)(line_end - text));
    }
}

/* Bytes sealed with another key belong to a house that was shut down: no session is left to ask for
 * them. */
static bool kept_open(void *context, const void *sealed, size_t len)
{
    struct house *house = context;
    const uint8_t *bytes = sealed;
    if (len <= SEAL_BYTES) {
        return true;
    }
    size_t text_len = len - SEAL_BYTES;
    uint8_t *text = memory_new(text_len);
    if (crypto_secretbox_open_easy(text, &bytes[crypto_secretbox_NONCEBYTES],
                                   len - crypto_secretbox_NONCEBYTES, bytes,
                                   house->config.answers_key) == 0) {
        kept_read_text(house, (const char *)text, text_len);
    }
    sodium_memzero(text, text_len);
    free(text);
    return true;
}

static void answers_kept_load(struct house *house)
{
    memset(house->kept.ages, 0, sizeof(house->kept.ages));
    house->kept.age_ms = house->now_ms;
    house->kept.age_bytes = 0;
    stored_or_fail(house, storage_answers_each(house->storage, kept_open, house));
}

void answers_kept_return(struct house *house, struct conn *conn)
{
    struct answers_left *left = index_find(&house->kept.left, &conn->id, sizeof(conn->id));
    if (left != NULL) {
        index_remove(&house->kept.left, &left->conn, sizeof(left->conn));
        answers_forget(&conn->answers);
        conn->answers = left->answers;
        free(left);
    }
}

static void answers_kept_clear(struct house *house)
{
    struct answers_left *left = NULL;
    struct index_at next;
    INDEX_EACH(&house->kept.left, left, next)
    {
        index_remove(&house->kept.left, &left->conn, sizeof(left->conn));
        answers_forget(&left->answers);
        free(left);
    }
}

static void answers_kept_forget(struct house *house)
{
    answers_clear(house);
    answers_kept_clear(house);
}

static void answers_kept_settled(struct house *house, UNUSED bool has_survivors)
{
    answers_kept_clear(house);
}

const struct part answers_part = {
    .name = "answers",
    .works_when_full = true,
    .load = answers_kept_load,
    .clear = answers_kept_forget,
    .tick = answers_tick,
    .next_ms = answers_next_ms,
    .settled = answers_kept_settled,
};
