#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Every request is answered exactly once. For each connection, the answers to its last ANSWERS_MAX
 * requests are kept, up to ANSWERS_BYTES_MAX; queries (messages.def) do not count. A request that
 * is repeated after a resync gets the kept answer and is not carried out again. A restarted core
 * knows the answers too (stored_answers.h). A peer with no more than ANSWERS_MAX open requests
 * never needs an answer that was forgotten.
 */

enum answer_state {
    ANSWER_NEW,  /* carry it out; it is recorded as begun, unless it is read-only */
    ANSWER_DONE, /* already handled: answered again, about to be answered, or refused */
};

/* Registers an incoming request. */
enum answer_state answer_register_request(const struct request *request, bool is_look);

/* Repeats the answer of a known request; true when the request is known. */
bool answer_repeat(const struct request *request);

/* Refuses the request with `old`. */
void answer_refuse_old(const struct request *request);

/* Marks the request as a query: if it is sent again, it is carried out again. Called before its
 * answer. */
void answer_mark_repeatable(const struct request *request);

/* Accepts the request. `fields` (an object or NULL) is sent with the answer; takes over its
 * reference. */
void answer_ok(const struct request *request, json_t *fields);

/* Refuses the request. `code` is one word for programs; the rest is one sentence for people, as
 * say() takes it. */
void answer_no(const struct request *request, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses the request with a finished sentence (say.h), whose reference is taken over. */
void answer_no_sentence(const struct request *request, const char *code, json_t *why);

/* Refuses the request with the code `wait`: it may be repeated in wait_s seconds. */
void answer_retry_later(const struct request *request, int64_t wait_s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Records a refusal in advance, for a request that this connection is about to repeat. */
void answer_prepare_refusal(struct conn *conn, int64_t request, const char *code, const char *why);

/* Refuses a sign-in, in the same words for every reason, and not before door_denial_ms after
 * begun_ms. */
void answer_deny_sign_in(const struct request *request, int64_t begun_ms);

/* Sends the delayed answers that are due. */
void answers_send_due(struct house *house);
int64_t answers_next_due_ms(const struct house *house);

/* Drops the delayed answers. */
void answers_drop_delayed(struct house *house);

/* Records an answer that was sent by an earlier core; takes a share of the payload. */
void answers_restore(struct answers *answers, int64_t request, struct payload *payload);

/* Forgets all answers, as if the connection were new. */
void answers_forget_all(struct answers *answers);
