#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/accounts/totp.h"

/*
 * Workers check and hash passwords, one job each at a time. Every job ends in an answer to its
 * request.
 *
 * The work is expensive, so a connection, a source (source.h) and a guessed name may each have one
 * job at a time. Thus parallel guesses are not all checked. The local machine is exempt as a source
 * unless door_limit_loopback is set. A second job is answered `busy`, as is any job when
 * limits_password_queue jobs of its kind wait. There are two queues, served in turn: one for
 * sign-ins and confirmations, one for new passwords.
 */

/* Checks the password of `name` and signs in. The check takes equally long when no account has that
 * name. A wrong password delays the next attempt. */
void auth_check_sign_in_password(const struct request *request, const char *name,
                                 const char *password);

/* Hashes the password of a new account, then calls sign_up_create_account. */
void auth_hash_sign_up_password(const struct request *request, const char *name,
                                const char *password);

/* Changes the password of the signed-in account. If the account has a password, `old_password` is
 * checked first; a wrong one delays the account's next confirmation (step_up.h). */
void auth_change_password(const struct request *request, const char *old_password,
                          const char *new_password);

/* What a connected person typed to confirm that an account is theirs: a password or an
 * authenticator code. */
struct auth_proof {
    int64_t conn, account, request;
    char secret[STORAGE_TOTP_SECRET_SIZE]; /* the secret of the authenticator; "": the person typed
                                              the password */
    int64_t step; /* the time step for which the code was right (RFC 6238); set before `finish` is
                     called */
    void (*finish)(struct house *house, const struct auth_proof *proof, bool is_right);
};

/* Has a worker check `typed_text`: either the account's password, of at most LIMIT_PASSWORD_BYTES,
 * or a code made from `secret`. Then calls proof->finish, even if the connection has closed
 * meanwhile. The `finish` function must not accept a code twice, and must call
 * auth_count_proof_attempt. If the account has to wait after wrong attempts, the request is
 * answered `wait`; if another job is unfinished, `busy`. */
void auth_check_proof(const struct request *request, const struct auth_proof *proof,
                      const char *typed_text);

/* Records whether the proof was right. After a wrong proof, the account has to wait before the next
 * attempt. */
void auth_count_proof_attempt(struct house *house, const struct auth_proof *proof, bool is_right);

/* True when the requester may now try to sign in under this name; otherwise the request is answered
 * `wait` or `busy`. */
bool auth_sign_in_is_allowed(const struct request *request, const char *name);
