#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Every request is answered exactly once. Each connection keeps the answers to its last ANSWERS_MAX
 * requests, up to ANSWERS_BYTES_MAX bytes; answers to requests that only read (READS_ONLY in
 * messages.def) are not kept. A request that is repeated after a resync gets the same answer and is
 * not carried out again. A restarted core still has the kept answers (stored_answers.h). A peer
 * with no more than ANSWERS_MAX unanswered requests never needs an answer that is no longer kept.
 */

enum answer_state {
    ANSWER_NEW, /* the request is new: the caller carries it out. If it changes something, it is now
                   recorded as unanswered. */
    ANSWER_DONE, /* the caller does nothing: the request was answered before, will be answered
                    later, or has just been refused */
};

/* Registers an incoming request. `only_reads`: the request changes nothing, so its answer need not
 * be kept. */
enum answer_state answer_register_request(const struct request *request, bool only_reads);

/* Sends the kept answer to this request again, if the request is answered. Returns false if the
 * request is not among those kept. */
bool answer_send_again(const struct request *request);

/* Refuses a request with the code `old`: its answer was forgotten. */
void answer_refuse_old_request(const struct request *request);

/* Marks the request as one that only reads: its answer is not kept, and a repeated request is
 * carried out again. Must be called before the request is answered. */
void answer_mark_request_read_only(const struct request *request);

/* Answers the request with `ok` and the members of `fields`, which is an object or NULL. Takes over
 * the reference to `fields`. */
void answer_ok(const struct request *request, json_t *fields);

/* Refuses the request. `code` is one word for programs. The format and its arguments make one
 * sentence for people, as with say(). */
void answer_no(const struct request *request, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses the request with a finished sentence (say.h), whose reference is taken over. */
void answer_no_with_sentence(const struct request *request, const char *code, json_t *why);

/* Refuses the request with the code `wait`: it may be repeated in wait_s seconds. */
void answer_retry_later(const struct request *request, int64_t wait_s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Records a refusal as the answer to a request that the peer will repeat after `resync`. */
void answer_record_refusal(struct conn *conn, int64_t request_id, const char *code,
                           const char *why);

/* Refuses a sign-in, with the same sentence for every reason. The refusal is sent door_denial_ms
 * after the attempt began, or later, so that the time tells nothing about the reason. */
void answer_deny_sign_in(const struct request *request, int64_t attempt_begun_ms);

/* Sends the delayed answers whose time has come. */
void answers_send_due(struct house *house);
int64_t answers_next_due_ms(const struct house *house);

/* Drops all delayed answers without sending them. */
void answers_drop_delayed(struct house *house);

/* Records an answer that an earlier core has sent. Keeps its own reference to the payload. */
void answers_restore_answer(struct answers *answers, int64_t request_id, struct payload *payload);

/* Forgets all answers of a connection. */
void answers_forget_all(struct answers *answers);
