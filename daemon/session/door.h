#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

struct core_link;

/*
 * Signing in, whatever the transport: asks the core and waits for its answer, because before that a
 * session has nothing else to do. The wait ends when the time for signing in is over, when the
 * client disconnects, or when the session is told to stop.
 *
 *     asking ──(a sign-in the core accepts)──► open
 *        └──(wrong tries, no core)──► shut
 */
enum door_state {
    DOOR_ASKING = 0,
    DOOR_OPEN,
    DOOR_SHUT,
};

struct door {
    struct core_link *link; /* borrowed */
    int peer_fd;            /* the connection, watched only for its closing */
    int stop_fd;            /* readable when the session must end */
    int tries_max;          /* after this many wrong tries the state is DOOR_SHUT */
    int64_t deadline_ms;    /* monotonic */
    bool asks;              /* signs in for queries only; door_come_in enters the house later */
    bool takes_no_guests;   /* the house admits no guests (set by the caller) */
    char house[65]; /* its name, for greetings; "": not known (set by the caller, at any time) */

    enum door_state state; /* the caller may set DOOR_SHUT too */
    int wrong_tries;
    bool is_core_gone; /* shut because the core did not answer: not the client's fault */
    bool is_banned;    /* banned: may only send an appeal */

    /* Valid in the state DOOR_OPEN: */
    bool is_visitor;
    bool is_guest;
    /* JSON of the protocol's `you`; NULL for somebody unregistered; door_clear frees it */
    char *you;
    char suggested[64]; /* for somebody unregistered: a suggested name, or "" */
    bool has_key;       /* for somebody unregistered: this connection has verified a key */

    int32_t wait_seconds; /* after DOOR_WAIT: seconds until the next try */
    char why[1536];       /* after DOOR_REFUSED: the core's reason, for the person */
};

enum door_result {
    DOOR_IN = 0,  /* signed in */
    DOOR_VISITOR, /* unregistered: may sign up */
    DOOR_KNOWN,   /* only from door_key_check: the key is worth a signature */
    DOOR_DENIED,
    DOOR_WAIT,    /* too many wrong passwords for this name */
    DOOR_REFUSED, /* refused for the reason in `why`, which may be shown */
    DOOR_BUSY,
    DOOR_GONE, /* no answer will come: end the connection */
};

#define DOOR_NOTE_MAX 1600 /* `why`, broken into lines */

void door_clear(struct door *door);

/* Asks whether a key may sign in to the account. A name that no account can have is sent as "".
 * `type` is SSH's name of the key type, `fingerprint` is "SHA256:…". */
enum door_result door_key_check(struct door *door, const char *name, const char *type,
                                const char *fingerprint) MUST_CHECK;

/*
 * The ways to sign in. Each one opens the door or counts as a wrong try.
 */

/* Call it once the key's signature is verified. */
enum door_result door_sign_in_key(struct door *door, const char *name, const char *type,
                                  const char *fingerprint) MUST_CHECK;

/* An empty password lets the person in unregistered. */
enum door_result door_sign_in_password(struct door *door, const char *name,
                                       const char *password) MUST_CHECK;

enum door_result door_sign_in_guest(struct door *door) MUST_CHECK;

/* After a sign-in for queries only (`asks`): enters the house, as "program" or, with `as` NULL, as
 * a person. The core then sends its state as pushes. Otherwise does nothing. */
void door_come_in(const struct door *door, const char *as);

/* The question for somebody banned, asked instead of a name or password. The answer goes to
 * door_sign_in_password, which sends it to the core only if it begins with the word appeal. */
const char *door_appeal_question(void);

/*
 * Notes for the person: lines of at most 78 columns, each ended by '\n'.
 */

/* Writes why a sign-in with this result was refused. */
void door_note(const struct door *door, enum door_result result, char note[DOOR_NOTE_MAX]);

/* Writes why somebody is banned. */
void door_banned_note(const struct door *door, char note[DOOR_NOTE_MAX]);
