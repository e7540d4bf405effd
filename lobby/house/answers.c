#include "lobby/house/parts.h"

#include "lobby/house/house_state.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"

#include <stdarg.h>
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
            answers->bytes -= payload_len(answer->payload);
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
    answers->bytes += payload_len(payload);
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

bool answer_send_again(const struct request *request)
{
    const struct answer *known = answer_find(&request->conn->answers, request->id);
    if (known != NULL && known->payload != NULL && !known->is_waiting) {
        conn_send_payload(request->house, request->conn, known->payload);
    }
    return known != NULL;
}

enum answer_state answer_register_request(const struct request *request, bool only_reads)
{
    if (answer_send_again(request)) {
        return ANSWER_DONE;
    }
    if (only_reads) {
        return ANSWER_NEW;
    }
    if (request->id <= request->conn->answers.dropped) {
        answer_refuse_old_request(request);
        return ANSWER_DONE;
    }
    if (answers_add_request(&request->conn->answers, request->id) == NULL) {
        answer_no(request, "too_fast",
                  _("Too many of your requests are unanswered: wait for the answers."));
        return ANSWER_DONE;
    }
    return ANSWER_NEW;
}

void answer_mark_request_read_only(const struct request *request)
{
    struct answers *answers = &request->conn->answers;
    struct answer *answer = answer_find(answers, request->id);
    if (answer != NULL) {
        answers_remove(answers, answer);
    }
}

void answer_refuse_old_request(const struct request *request)
{
    answer_no(request, "old",
              _("That request is too old: give each request a higher number than the last."));
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
    if (payload_len(payload) <= PAYLOAD_MAX) {
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
    size_t blocks = payload_len(payload) / LIMIT_ANSWER_BYTES;
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

void answer_no_with_sentence(const struct request *request, const char *code, json_t *why)
{
    answer_send_refusal(request, code, why, -1);
}

void answer_no(const struct request *request, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    answer_send_refusal(request, code, say_with_args(format, args), -1);
    va_end(args);
}

void answer_retry_later(const struct request *request, int64_t wait_s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    answer_send_refusal(request, "wait", say_with_args(format, args), wait_s);
    va_end(args);
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

void answers_drop_delayed(struct house *house)
{
    struct later *next = NULL;
    for (struct later *later = TAILQ_FIRST(&house->laters); later != NULL; later = next) {
        next = TAILQ_NEXT(later, in_list);
        payload_release(later->answer);
        free(later);
    }
    TAILQ_INIT(&house->laters);
}
