#pragma once

#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"

/* The first admin is named by a key in the configuration (house_config.house_first_admin), so that
 * no house starts with a well-known password. */

/* Gives the admin role to the account that has the configured key, if such an account exists. */
void admins_promote_first_admin(struct house *house);

/*
 * Workers check and hash passwords, one job each at a time. Every job ends in an answer to its
 * request.
 *
 * The work is expensive, so a connection, a source (house/parts.h) and a guessed name may each have
 * one job at a time. Thus parallel guesses are not all checked. The local machine is exempt as a
 * source unless door_limit_loopback is set. A second job is answered `busy`, as is any job when
 * limits_password_queue jobs of its kind wait. There are two queues, served in turn: one for
 * sign-ins and confirmations, one for new passwords.
 */

/* Checks the password of `name` and signs in, unless the requester has to wait before the next
 * attempt under this name: then the request is answered `wait`. The check takes equally long when
 * no account has that name. A wrong password delays the next attempt. */
void auth_check_sign_in_password(const struct request *request, const char *name,
                                 const char *password);

/* Hashes the password of a new account, then calls sign_up_create_account. */
void auth_hash_sign_up_password(const struct request *request, const char *name,
                                const char *password);

/*
 * Codes that people carry from one machine to another or keep on paper, such as "BCDF-GHJK". They
 * use twenty letters: no vowels, so that no words appear, and no letters that look alike. A code
 * that adds a key has eight letters (34 bits) and lasts ten minutes. An invitation, which lets
 * somebody sign up once while registration is closed, has eight and lasts a week. A recovery code
 * has sixteen (69 bits) and does not expire. Only a hash is stored.
 */
#define CODE_INVITATION_DAYS 7
#define CODE_LETTERS_MAX 16
#define CODE_TEXT_SIZE 20 /* the length of the text, including dashes and the NUL */

/* Makes a new code for the account, which replaces its previous code. A code that adds a key is
 * valid for accounts_code_s seconds. */
void code_create(struct house *house, int64_t account, enum storage_code_purpose purpose,
                 char text[CODE_TEXT_SIZE]);

/* True when the text is a valid code, in any grouping and in upper or lower case; *account is then
 * its owner. The code stays valid until code_invalidate is called. */
bool code_find_owner(struct house *house, const char *text, enum storage_code_purpose purpose,
                     int64_t *account) MUST_CHECK;

/* Makes an invitation. */
void code_create_invitation(struct house *house, char text[CODE_TEXT_SIZE]);

/*
 * Entering the house: the code that all ways of signing in share. A query-only connection
 * (is_query_only) signs in without entering. It may make any request that a person in the house may
 * make. But its person does not count as present, nobody is told of it, and messages that wait for
 * the person keep waiting.
 */

/* How a connection has signed in. */
struct sign_in_state_of_conn {
    bool
        is_recovered; /* signed in by a recovery code: may set a new password without the old one */
    char invitation[STORAGE_CODE_HASH_SIZE]; /* the hash of the invitation that was typed; "": none
                                              */
    char totp_secret[STORAGE_TOTP_SECRET_SIZE]; /* an authenticator secret that was shown and is not
                                                   yet confirmed by a code; "": none */
};

CONN_STATE(sign_in_state_of_conn, struct sign_in_state_of_conn, accounts);

TAILQ_HEAD(auth_job_list, auth_job);

struct accounts {
    int64_t guest_unsaved;     /* the number of the next guest in read-only mode; 0: use the stored
                                  number */
    struct auth_job_list jobs; /* of the workers; the oldest job first */
    int64_t job_last;          /* the number of the latest job; job numbers ascend */
    bool was_new_password;     /* whether the last job that was assigned sets a new password */
};

PART_STATE(accounts_of, struct accounts, accounts);

/* The hooks of the part `accounts` that other files of the folder carry out (parts.h). */
void auth_clear_jobs(struct house *house);
void auth_measure_queue(const struct house *house);
void auth_assign_jobs_to_ready_worker(struct house *house, struct conn *worker);
void auth_requeue_job_of_worker(struct house *house, struct conn *worker);

/* Loads the policies, and makes the configured account the first admin. */
void policies_load(struct house *house);

/* Signs the connection in to the account (NULL: as a new guest) and answers the request. Refuses
 * when the account may not sign in this way, or has reached its limit of connections.
 * `is_new_account`: the account was created just now. The person enters the house at once, unless
 * the connection is_query_only. */
void entry_sign_in(const struct request *request, const struct storage_account *account,
                   bool is_new_account);

/* A name that was taken from an account stays reserved for a while, so that nobody is mistaken for
 * its former owner. */

#define FORMER_NAME_DAYS 30

/* True when the name, or one that looks like it, is reserved for another account than this one (0:
 * for any account). */
bool former_name_is_reserved(struct house *house, const char *name,
                             int64_t excepted_account) MUST_CHECK;

/* Guests have no account and get a new name at each visit. Staff find the person behind a guest
 * name by the address the guest connected from. */

/* Guests are forgotten so long after they have left. */
#define GUESTS_KEPT_MS INT64_C(86400000)

/* Finds a guest by name who is in the house or left less than a day ago; false when there is
 * none. */
bool guests_find(struct house *house, const char *name, struct storage_guest *guest) MUST_CHECK;

/*
 * What the house allows people without an account to do. Policies are stored with the data. An
 * admin can change a policy, and the change stays after a restart of the core. When the configured
 * value changes, it replaces the stored one.
 */
enum policy {
    POLICY_REGISTRATION, /* may people register? "open"; "hold" (a new account plays, but cannot
                            talk and is not listed until a moderator releases it); "closed" */
    POLICY_GUESTS, /* may guests enter? "yes"; "play-only" (guests are seen and play, but cannot
                      talk); "no" */
};

/* Returns the present value of the policy, a static string. */
const char *policy_value(struct house *house, enum policy policy);
bool policy_has_value(struct house *house, enum policy policy, const char *value) MUST_CHECK;

/*
 * At most limits_registrations accounts an hour can be registered from one source: an IPv4 address
 * or an IPv6 /64 network. An IPv6 /48 network may register REGISTRATION_NET_SHARES times as many.
 * The local machine is exempt, since its users have other ways to fill the disk. The counts are
 * stored with the data.
 */

#define REGISTRATION_NET_SHARES 4

/*
 * Tells the owner of an account that its keys, password, codes or role have changed. All
 * connections of the owner are told. An owner who is not connected is told once, at the next
 * sign-in. Programs and query-only connections (`ssh host top`) do not count as connected, since no
 * human reads them.
 */

/* Sends the sentence to all of the account's connections, except the one that made the change
 * (`skipped_conn`; NULL: none). If nobody reads the sentence now, it is stored for the next
 * sign-in; a sign-in by the key `skipped_key` (NULL: no key) does not show it. Takes ownership of
 * the sentence (say.h). */
void security_notify(struct house *house, int64_t account, const struct conn *skipped_conn,
                     const char *skipped_key, json_t *sentence);

/* Sends the stored notices to a person who has entered. */
void security_send_stored_notices(struct house *house, struct conn *conn);

/* Sign-up: creates accounts. */

/* True when an account has this name or one that looks like it, or the name is reserved. */
bool sign_up_name_is_taken(struct house *house, const char *name);

/* Creates the account, adds the connection's key to it, signs in and answers the request.
 * `password_hash` is "" when the account has no password. */
void sign_up_create_account(const struct request *request, const char *name,
                            const char *password_hash);

/* Composes the password that was typed. True when its length is allowed;
 * otherwise the request is refused. `typed` may be NULL. */
bool sign_up_compose_password(const struct request *request, const char *typed,
                              char password[LIMIT_PASSWORD_BYTES + 1]);

/*
 * The accounts that may use telnet: guests, accounts made over telnet, and accounts whose owners
 * have enabled telnet. Staff never may, because anybody on the network path can read telnet.
 */

/* The settings that a new account made over telnet starts with. */
#define TELNET_SETTINGS "{\"telnet\":true}"
