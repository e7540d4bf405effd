#ifndef LOBBY_AUTH_JOBS_H
#define LOBBY_AUTH_JOBS_H

#include "lobby/house_state.h"

/*
 * Passwords are checked and hashed by workers, one job each at a time; up to auth_queue wait,
 * then people are told that the house is busy. All end in an answer to the request.
 */

/* Checks the password of `name` and signs in. A name without account gets the same work; wrong
 * ones make the next try wait. */
void auth_check_sign_in(struct house *house, struct conn *conn, int64_t request, const char *name,
                        const char *password);

/* Hashes the password of a new account, then sign_up_finish. */
void auth_hash_sign_up(struct house *house, struct conn *conn, int64_t request, const char *name,
                       const char *password);

/* Changes the password of who is signed in; `old` is checked first when there is one. */
void auth_change_password(struct house *house, struct conn *conn, int64_t request, const char *old,
                          const char *password);

/* A worker said hello: it is free, and what it was doing is done again. */
void auth_worker_ready(struct house *house, struct conn *worker);

/* A worker has gone: its job waits for another. */
void auth_worker_gone(struct house *house, struct conn *worker);

void auth_jobs_clear(struct house *house);

#endif
