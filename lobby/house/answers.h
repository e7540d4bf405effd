#ifndef LOBBY_HOUSE_ANSWERS_H
#define LOBBY_HOUSE_ANSWERS_H

#include "lobby/house/house_state.h"

/*
 * Requests are answered exactly once. What a connection's last ANSWERS_KEPT requests were answered,
 * but for those that only look (messages.def), is remembered within ANSWERS_KEPT_BYTES, so that one
 * sent again after a resync gets the same answer and is not done again; a later core learns of it
 * too (answers_kept.h). Whoever has so few requests under way never meets what is forgotten.
 */

enum answer_state {
    ANSWER_NEW,  /* to be done; unless it only looks, it is remembered as begun */
    ANSWER_DONE, /* known: answered again, or about to be; or refused */
};

/* A request has come. */
enum answer_state answer_begin(struct house *house, struct conn *conn, int64_t request,
                               bool is_look);

/* Answers a request once more if it is a known one; true when it is. */
bool answer_again(struct house *house, struct conn *conn, int64_t request);

/* Refuses with `old`. */
void answer_old(struct house *house, struct conn *conn, int64_t request);

/* The request only looks, as turned out: sent again it is done again. Before its answer. */
void answer_is_look(struct conn *conn, int64_t request);

/* `fields` (an object or NULL) becomes the answer's; its reference is taken over. */
void answer_ok(struct house *house, struct conn *conn, int64_t request, json_t *fields);

/* code: one word for programs; why: one sentence for people. */
void answer_no(struct house *house, struct conn *conn, int64_t request, const char *code,
               const char *why);

/* The same with `say` (say.h) besides, whose reference is taken over; NULL: none. */
void answer_no_said(struct house *house, struct conn *conn, int64_t request, const char *code,
                    const char *why, json_t *say);

/* The same of a sentence with arguments, which a session words in its own language. */
void answer_no_say(struct house *house, struct conn *conn, int64_t request, const char *code,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same with `wait_s`. */
void answer_wait(struct house *house, struct conn *conn, int64_t request, int64_t wait_s,
                 const char *why);
void answer_wait_say(struct house *house, struct conn *conn, int64_t request, int64_t wait_s,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Keeps a refusal for a request that this connection is about to send again. */
void answer_keep(struct conn *conn, int64_t request, const char *code, const char *why);

/* The one denial at the door, whatever the reason, not before door_denial_ms after begun_ms. */
void answer_denied(struct house *house, struct conn *conn, int64_t request, int64_t begun_ms);

/* Gives the answers whose time has come. */
void answers_tick(struct house *house);
int64_t answers_next_ms(const struct house *house);

/* Forgets those whose time has not come. */
void answers_clear(struct house *house);

/* Remembers an answer that was given already; takes a share of the payload. */
void answers_keep(struct answers *answers, int64_t request, struct payload *payload);

/* Forgets all; what is left is as good as new. */
void answers_forget(struct answers *answers);

#endif
