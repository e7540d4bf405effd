#include "lobby/answers.h"

#include "lobby/conns.h"
#include "lobby/memory.h"
#include "lobby/text_clean.h"
#include "lobby/words.h"

#include <stdlib.h>

static struct answer *answer_find(struct conn *conn, int64_t request)
{
    for (size_t i = 0; i < ANSWERS_KEPT; i++) {
        if (conn->answers[i].request == request) {
            return &conn->answers[i];
        }
    }
    return NULL;
}

bool answer_again(struct house *house, struct conn *conn, int64_t request)
{
    const struct answer *known = answer_find(conn, request);
    if (known != NULL && known->payload != NULL) {
        conn_push_payload(house, conn, known->payload);
    }
    return known != NULL;
}

enum answer_state answer_begin(struct house *house, struct conn *conn, int64_t request)
{
    if (answer_again(house, conn, request)) {
        return ANSWER_DONE;
    }
    struct answer *answer = &conn->answers[conn->answer_next];
    conn->answer_next = (conn->answer_next + 1) % ANSWERS_KEPT;
    payload_release(answer->payload);
    *answer = (struct answer){.request = request};
    if (request < conn->last_request) {
        answer_no(house, conn, request, "old",
                  _("That request is too old to be answered: number requests upwards."));
        return ANSWER_DONE;
    }
    conn->last_request = request;
    return ANSWER_NEW;
}

static json_t *answer_refusal(int64_t request, const char *code, const char *why)
{
    return json_pack("{s:s,s:I,s:s,s:o}", "t", "no", "id", (json_int_t)request, "code", code, "why",
                     text_clean_json(why));
}

/* An answer that no packet can hold becomes a refusal. */
static struct payload *answer_payload(int64_t request, json_t *message)
{
    struct payload *payload = payload_of(message);
    if (payload_len(payload) <= PAYLOAD_MAX) {
        return payload;
    }
    payload_release(payload);
    return payload_of(answer_refusal(
        request, "too_long", _("The answer does not fit one message: ask for fewer rows.")));
}

static void answer_give(struct house *house, struct conn *conn, int64_t request, json_t *message)
{
    struct payload *payload = answer_payload(request, message);
    struct answer *answer = answer_find(conn, request);
    if (answer != NULL) {
        answer->payload = payload_share(payload);
    }
    conn_push_payload(house, conn, payload);
    payload_release(payload);
}

void answer_ok(struct house *house, struct conn *conn, int64_t request, json_t *fields)
{
    json_t *message = json_pack("{s:s,s:I}", "t", "ok", "id", (json_int_t)request);
    if (fields != NULL) {
        (void)json_object_update_new(message, fields);
    }
    answer_give(house, conn, request, message);
}

void answer_no(struct house *house, struct conn *conn, int64_t request, const char *code,
               const char *why)
{
    answer_give(house, conn, request, answer_refusal(request, code, why));
}

void answer_wait(struct house *house, struct conn *conn, int64_t request, int64_t wait_s,
                 const char *why)
{
    json_t *message = answer_refusal(request, "wait", why);
    (void)json_object_set_new(message, "wait_s", json_integer(wait_s));
    answer_give(house, conn, request, message);
}

void answer_denied(struct house *house, const struct conn *conn, int64_t request, int64_t begun_ms)
{
    struct later *later = memory_new(sizeof(*later));
    later->due_ms = begun_ms + house->config.limits.denial_ms;
    later->conn = conn->id;
    later->request = request;
    later->answer = answer_refusal(
        request, "denied",
        _("That name does not go with that key or password: check both, or come in as guest."));
    TAILQ_INSERT_TAIL(&house->laters, later, in_list);
}

static void later_free(struct house *house, struct later *later)
{
    TAILQ_REMOVE(&house->laters, later, in_list);
    json_decref(later->answer);
    free(later);
}

static void later_give(struct house *house, struct later *later)
{
    struct conn *conn = conn_find(house, later->conn);
    if (conn != NULL) {
        answer_give(house, conn, later->request, json_incref(later->answer));
    }
    later_free(house, later);
}

void answers_tick(struct house *house)
{
    struct later *next = NULL;
    for (struct later *later = TAILQ_FIRST(&house->laters); later != NULL; later = next) {
        next = TAILQ_NEXT(later, in_list);
        if (later->due_ms <= house->now_ms) {
            later_give(house, later);
        }
    }
}

int64_t answers_next_ms(const struct house *house)
{
    int64_t next_ms = INT64_MAX;
    const struct later *later = NULL;
    TAILQ_FOREACH(later, &house->laters, in_list)
    {
        next_ms = later->due_ms < next_ms ? later->due_ms : next_ms;
    }
    return next_ms;
}

void answers_clear(struct house *house)
{
    struct later *next = NULL;
    for (struct later *later = TAILQ_FIRST(&house->laters); later != NULL; later = next) {
        next = TAILQ_NEXT(later, in_list);
        json_decref(later->answer);
        free(later);
    }
    TAILQ_INIT(&house->laters);
}
