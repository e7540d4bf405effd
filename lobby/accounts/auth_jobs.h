#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/accounts/totp.h"

/*
 * Workers check and hash passwords, one job each at a time. Every job ends in an answer to its
 * request.
 *
 * The work is expensive, so at most one job at a time is allowed per connection, per source
 * (source.h; the local machine is exempt unless door_limit_loopback) and per guessed name, so that
 * parallel guesses are not all checked. Otherwise, and when auth_queue jobs of a kind are queued,
 * the request is answered `busy`. There are two queues, served in turn: one for sign-ins and
 * confirmations, one for new passwords.
 */

/* Checks the password of `name` and signs in. A name without an account costs the same work. A
 * wrong password delays the next try. */
void auth_check_sign_in(const struct request *request, const char *name, const char *password);

/* Hashes the password of a new account, then calls sign_up_finish. */
void auth_hash_sign_up(const struct request *request, const char *name, const char *password);

/* Changes the password of the signed-in account. `old`, if given, is checked first; a wrong one
 * delays the account's next confirmation (step_up.h). */
void auth_change_password(const struct request *request, const char *old, const char *password);

/* Proof by a connected person that they own their account, and what happens once a worker has
 * checked it, even if the connection has closed since. */
struct auth_proof {
    int64_t conn, account, request;
    char secret[STORAGE_TOTP_SECRET_SIZE]; /* of the authenticator; "": shown by the password */
    int64_t step;                          /* of a right code (RFC 6238), set for the judge */
    void (*judge)(struct house *house, const struct auth_proof *proof, bool is_right);
};

/* `text` is the account's password, of at most LIMIT_PASSWORD_BYTES, or a code made from `secret`.
 * The request is answered `wait` after wrong tries, and `busy` as above. The judge makes sure that
 * no code counts twice, and ends with auth_judged. */
void auth_prove(const struct request *request, const struct auth_proof *proof, const char *text);

/* Reports the result of a proof: a wrong one makes the account wait. */
void auth_judged(struct house *house, const struct auth_proof *proof, bool is_right);

/* True when a sign-in under this name may be tried on the connection now; else the request is
 * answered `wait` or `busy`. */
bool auth_may_guess(const struct request *request, const char *name);
