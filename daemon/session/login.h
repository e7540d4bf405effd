#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct core_link;

/*
 * Signs a person in, over SSH or telnet. The session asks the core and waits for its answer, since
 * it has nothing else to do before somebody has signed in. The wait ends early when the time for
 * signing in is over, when the client disconnects, or when the session is told to stop.
 *
 *     asking ──(a sign-in the core accepts)──► signed in
 *        └──(wrong tries, no core)──► failed
 */
enum login_state {
    LOGIN_ASKING = 0,
    LOGIN_SIGNED_IN,
    LOGIN_FAILED,
};

struct login {
    struct core_link *link; /* borrowed */
    int peer_fd;            /* the client's connection, watched only to notice that it is closed */
    int stop_fd;            /* descriptor that becomes readable when the session must end */
    int tries_max;          /* after this many wrong tries the state is LOGIN_FAILED */
    int64_t deadline_ms;    /* monotonic time by which somebody must have signed in */
    bool is_query_only; /* sign in for queries only; login_enter_house may enter the house later */
    bool takes_no_guests; /* the house admits no guests; set by the caller */
    char house[65]; /* name of the house, for greetings; "" if unknown; the caller may set it at any
                       time */

    enum login_state state; /* set by the functions below; the caller may set it to LOGIN_FAILED */
    int wrong_tries;
    bool is_core_gone; /* signing in failed because the core did not answer, which is not the
                          client's fault */
    bool is_banned;    /* the person is banned and may send only an appeal */

    /* The members below are valid in the state LOGIN_SIGNED_IN. */
    bool is_unregistered;
    bool is_guest;
    json_t *you; /* the object `you` of the protocol; NULL for an unregistered person; login_clear
                    frees it */
    char suggested[64]; /* a name suggested to an unregistered person, or "" */
    bool has_key;       /* an unregistered person has verified a key on this connection */

    int32_t wait_seconds; /* after LOGIN_WAIT: seconds until the next try is allowed */
    char why[1536];       /* the core's reason for LOGIN_REFUSED */
};

enum login_result {
    LOGIN_IN = 0,       /* the person is signed in */
    LOGIN_UNREGISTERED, /* the person has no account, and may sign up */
    LOGIN_KNOWN, /* only from login_check_key: the key may sign in once its signature is verified */
    LOGIN_DENIED,
    LOGIN_WAIT,    /* too many wrong passwords: the next try is allowed after wait_seconds */
    LOGIN_REFUSED, /* refused for the reason in `why`, which may be shown */
    LOGIN_BUSY,
    LOGIN_NO_CORE, /* the core does not answer: end the connection */
};

#define LOGIN_NOTE_MAX 1600 /* size of a note: room for `why`, broken into lines of text */

void login_clear(struct login *login);

/* Asks the core whether a key may sign in to the account. A name that no account can have is sent
 * as "". `type` is SSH's name for the kind of key, such as "ssh-ed25519"; `fingerprint` is
 * "SHA256:…". */
enum login_result login_check_key(struct login *login, const char *name, const char *type,
                                  const char *fingerprint) MUST_CHECK;

/* Signs in with a key whose signature is verified. Whatever the method, an attempt to sign in
 * succeeds or counts as a wrong try. */
enum login_result login_by_key(struct login *login, const char *name, const char *type,
                               const char *fingerprint) MUST_CHECK;

/* Signs in with a password. A person without an account signs in with an empty password. */
enum login_result login_by_password(struct login *login, const char *name,
                                    const char *password) MUST_CHECK;

enum login_result login_as_guest(struct login *login) MUST_CHECK;

/* Enters the house after a sign-in that was for queries only: as a program if `enter_as` is
 * "program", as a person if it is NULL. The core then sends the state of the house. Does nothing
 * after any other sign-in. */
void login_enter_house(const struct login *login, const char *enter_as);

/* Returns the question that a banned person is asked in place of a name or password. Pass the
 * answer to login_by_password, which sends it to the core only if it begins with the word
 * appeal. */
const char *login_appeal_question(void);

/* Writes the reason why a sign-in with this result was refused, in lines of at most 78 columns. */
void login_write_refusal_note(const struct login *login, enum login_result result,
                              char note[LOGIN_NOTE_MAX]);

/* Writes the reason for the person's ban, in lines of at most 78 columns. */
void login_write_ban_note(const struct login *login, char note[LOGIN_NOTE_MAX]);
