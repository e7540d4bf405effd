#ifndef LOBBY_ACCOUNTS_AUTH_JOBS_H
#define LOBBY_ACCOUNTS_AUTH_JOBS_H

#include "lobby/house/house_state.h"
#include "storage/accounts/totp.h"

/*
 * Passwords are checked and hashed by workers, one job each at a time. All jobs end in an answer to
 * the request.
 *
 * The work is dear, so nobody has more than one job at a time: no connection, no source (source.h;
 * the house's own machine is free of that unless door_limit_loopback) and nobody who is
 * guessed at, so that guesses made at once are not all looked at. Beyond that, and when auth_queue
 * of a kind wait, the request is answered `busy`. Two kinds wait apart and take turns: what lets
 * somebody in or confirms who they are, and new passwords.
 */

/* Checks the password of `name` and signs in. A name without account gets the same work; wrong
 * ones make the next try wait. */
void auth_check_sign_in(struct house *house, struct conn *conn, int64_t request, const char *name,
                        const char *password);

/* Hashes the password of a new account, then sign_up_finish. */
void auth_hash_sign_up(struct house *house, struct conn *conn, int64_t request, const char *name,
                       const char *password);

/* Changes the password of who is signed in; `old` is checked first when there is one. A wrong one
 * makes the next try to confirm who they are wait (step_up.h). */
void auth_change_password(struct house *house, struct conn *conn, int64_t request, const char *old,
                          const char *password);

/* Somebody in the house shows that they are who they say, and what is done once a worker has looked
 * at it, connected still or not. */
struct auth_proof {
    int64_t conn, account, request;
    char secret[STORAGE_TOTP_SECRET_SIZE]; /* of the authenticator; "": shown by the password */
    int64_t step;                          /* of a right code (RFC 6238), set for the judge */
    void (*judge)(struct house *house, const struct auth_proof *proof, bool is_right);
};

/* `text` is the account's password, of at most LIMIT_PASSWORD_BYTES, or a code made from
 * `secret`. The request is answered `wait` after wrong ones, and `busy` as above. The judge sees to
 * it that no code counts twice, and ends in auth_judged. */
void auth_prove(struct house *house, struct conn *conn, const struct auth_proof *proof,
                const char *text);

/* What came of a proof: a wrong one makes the account wait. */
void auth_judged(struct house *house, const struct auth_proof *proof, bool is_right);

/* True when a sign-in under this name may be tried on the connection now; else the request is
 * answered `wait` or `busy`. */
bool auth_may_guess(struct house *house, struct conn *conn, int64_t request, const char *name);

#endif
