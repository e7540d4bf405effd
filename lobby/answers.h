#ifndef LOBBY_ANSWERS_H
#define LOBBY_ANSWERS_H

#include "lobby/house_state.h"

/*
 * Requests are answered exactly once. The last ANSWERS_KEPT of a connection are remembered, so that
 * one that is sent again after a resync gets the same answer and is not done again.
 */

enum answer_state {
    ANSWER_NEW,  /* to be done; it is remembered as begun */
    ANSWER_DONE, /* known: answered again, or about to be */
};

/* A request has come. */
enum answer_state answer_begin(struct house *house, struct conn *conn, int64_t request);

/* Answers a request once more if it is a known one; true when it is. */
bool answer_again(struct house *house, struct conn *conn, int64_t request);

/* `fields` (an object or NULL) becomes the answer's; its reference is taken over. */
void answer_ok(struct house *house, struct conn *conn, int64_t request, json_t *fields);

/* code: one word for programs; why: one sentence for people. */
void answer_no(struct house *house, struct conn *conn, int64_t request, const char *code,
               const char *why);

/* The same with `wait_s`. */
void answer_wait(struct house *house, struct conn *conn, int64_t request, int64_t wait_s,
                 const char *why);

/* The one denial at the door, whatever the reason, not before limits.denial_ms after begun_ms. */
void answer_denied(struct house *house, const struct conn *conn, int64_t request, int64_t begun_ms);

/* Gives the answers whose time has come. */
void answers_tick(struct house *house);
int64_t answers_next_ms(const struct house *house);
void answers_clear(struct house *house);

#endif
