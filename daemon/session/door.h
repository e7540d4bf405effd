#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

struct core_link;

/*
 * Signing in, whatever the transport: asks the core and waits for its answer. Until somebody is in,
 * a session has nothing else to do; the wait ends with the time for signing in, when the connection
 * hangs up, or when the session is told to stop.
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
    int peer_fd;            /* the connection, watched for hanging up */
    int stop_fd;            /* readable when the session has to end */
    int tries_max;          /* wrong tries that shut it */
    int64_t deadline_ms;    /* monotonic */
    bool asks;              /* sign in without coming in: door_come_in does */
    bool takes_no_guests;   /* the house (set by the caller, as its name is) */
    char house[65]; /* its name, for greetings; "": not known (set by the caller, any time) */

    enum door_state state; /* the caller may shut it too */
    int wrong_tries;
    bool is_core_gone; /* shut because no answer came: not the client's fault */
    bool is_banned;    /* kept out: nothing is open to them here but an appeal */

    /* Once open: */
    bool is_visitor;
    bool is_guest;
    char *you;          /* JSON of the protocol's `you`, NULL for a visitor; door_clear frees it */
    char suggested[64]; /* visitor: a name to suggest, or "" */
    bool has_key;       /* visitor: a key was verified on this connection */

    int32_t wait_seconds; /* after DOOR_WAIT */
    char why[1536];       /* after DOOR_REFUSED: the core's reason, for the person */
};

enum door_result {
    DOOR_IN = 0,  /* signed in */
    DOOR_VISITOR, /* may make an account */
    DOOR_KNOWN,   /* only from door_key_check: worth a signature */
    DOOR_DENIED,
    DOOR_WAIT,    /* too many wrong passwords for this name */
    DOOR_REFUSED, /* for a reason of its own, which is no secret: `why` */
    DOOR_BUSY,
    DOOR_GONE, /* no answer will come: end the connection */
};

#define DOOR_NOTE_MAX 1600 /* of `why`, broken into lines */

void door_clear(struct door *door);

/* A name that is no text an account could have is asked about as "": nobody's. `type` as SSH names
 * it, `fingerprint` as "SHA256:…". */
enum door_result door_key_check(struct door *door, const char *name, const char *type,
                                const char *fingerprint) MUST_CHECK;

/*
 * The ways to sign in. Each moves the state: it opens the door, or was a wrong try.
 */

/* The key's signature was verified. */
enum door_result door_sign_in_key(struct door *door, const char *name, const char *type,
                                  const char *fingerprint) MUST_CHECK;

/* An empty password makes a visitor. */
enum door_result door_sign_in_password(struct door *door, const char *name,
                                       const char *password) MUST_CHECK;

enum door_result door_sign_in_guest(struct door *door) MUST_CHECK;

/* Who asked to sign in without coming in (`asks`) comes in now, `as` "program" or, with NULL, as a
 * person; what the house tells them follows as pushes. Else, nothing. */
void door_come_in(const struct door *door, const char *as);

/* What somebody who is_banned is asked instead of a name or password; the answer goes to
 * door_sign_in_password. Only one that begins with the word appeal goes to the core. */
const char *door_appeal_question(void);

/*
 * Notes for the person, in lines of 78 columns at most that end with '\n'.
 */

/* Why this result of a sign-in let nobody in. */
void door_note(const struct door *door, enum door_result result, char note[DOOR_NOTE_MAX]);

/* Why somebody is_banned. */
void door_banned_note(const struct door *door, char note[DOOR_NOTE_MAX]);
