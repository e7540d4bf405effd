#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct core_link;

/*
 * Signing in, whatever the transport: asks the core and waits for its answer, because before that a
 * session has nothing else to do. The wait ends when the time for signing in is over, when the
 * client disconnects, or when the session is told to stop.
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
    int peer_fd;            /* the connection, watched only for its closing */
    int stop_fd;            /* readable when the session must end */
    int tries_max;          /* after this many wrong tries the state is LOGIN_FAILED */
    int64_t deadline_ms;    /* monotonic */
    bool is_query_only;     /* signs in for queries only; login_enter enters the house later */
    bool takes_no_guests;   /* the house admits no guests (set by the caller) */
    char house[65]; /* its name, for greetings; "": not known (set by the caller, at any time) */

    enum login_state state; /* the caller may set LOGIN_FAILED too */
    int wrong_tries;
    bool is_core_gone; /* failed because the core did not answer: not the client's fault */
    bool is_banned;    /* banned: may only send an appeal */

    /* Valid in the state LOGIN_SIGNED_IN: */
    bool is_unregistered;
    bool is_guest;
    json_t *you; /* the protocol's `you`; NULL for somebody unregistered; login_clear frees it */
    char suggested[64]; /* for somebody unregistered: a suggested name, or "" */
    bool has_key;       /* for somebody unregistered: this connection has verified a key */

    int32_t wait_seconds; /* after LOGIN_WAIT: seconds until the next try */
    char why[1536];       /* after LOGIN_REFUSED: the core's reason, for the person */
};

enum login_result {
    LOGIN_IN = 0,       /* signed in */
    LOGIN_UNREGISTERED, /* unregistered: may sign up */
    LOGIN_KNOWN,        /* only from login_key_check: the key is worth a signature */
    LOGIN_DENIED,
    LOGIN_WAIT,    /* too many wrong passwords for this name */
    LOGIN_REFUSED, /* refused for the reason in `why`, which may be shown */
    LOGIN_BUSY,
    LOGIN_NO_CORE, /* no answer will come: end the connection */
};

#define LOGIN_NOTE_MAX 1600 /* `why`, broken into lines */

void login_clear(struct login *login);

/* Asks whether a key may sign in to the account. A name that no account can have is sent as "".
 * `type` is SSH's name of the key type, `fingerprint` is "SHA256:…". */
enum login_result login_key_check(struct login *login, const char *name, const char *type,
                                  const char *fingerprint) MUST_CHECK;

/*
 * The ways to sign in. Each one signs in or counts as a wrong try.
 */

/* Call it once the key's signature is verified. */
enum login_result login_by_key(struct login *login, const char *name, const char *type,
                               const char *fingerprint) MUST_CHECK;

/* An empty password lets the person in unregistered. */
enum login_result login_by_password(struct login *login, const char *name,
                                    const char *password) MUST_CHECK;

enum login_result login_as_guest(struct login *login) MUST_CHECK;

/* After a sign-in for queries only (`asks`): enters the house, as "program" or, with `as` NULL, as
 * a person. The core then sends its state as pushes. Otherwise does nothing. */
void login_enter(const struct login *login, const char *as);

/* The question for somebody banned, asked instead of a name or password. The answer goes to
 * login_by_password, which sends it to the core only if it begins with the word appeal. */
const char *login_appeal_question(void);

/*
 * Notes for the person: lines of at most 78 columns, each ended by '\n'.
 */

/* Writes why a sign-in with this result was refused. */
void login_note(const struct login *login, enum login_result result, char note[LOGIN_NOTE_MAX]);

/* Writes why somebody is banned. */
void login_banned_note(const struct login *login, char note[LOGIN_NOTE_MAX]);
