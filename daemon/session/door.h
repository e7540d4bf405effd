#ifndef DAEMON_SESSION_DOOR_H
#define DAEMON_SESSION_DOOR_H

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

struct core_link;

/*
 * Signing in, whatever the transport: asks the core and waits for its answer. Until somebody is in,
 * a session has nothing else to do; the wait ends with the time for signing in, when the connection
 * hangs up, or when the session is told to stop.
 */
struct door {
    struct core_link *link; /* borrowed */
    int peer_fd;            /* the connection, watched for hanging up */
    int stop_fd;            /* readable when the session has to end */
    int64_t deadline_ms;    /* monotonic */

    /* After DOOR_IN or DOOR_VISITOR: */
    char *you;          /* JSON of the protocol's `you`, NULL for a visitor; door_clear frees it */
    char suggested[64]; /* visitor: a name to suggest, or "" */
    bool has_key;       /* visitor: a key was verified on this connection */
    int32_t wait_seconds; /* after DOOR_WAIT */
};

enum door_result {
    DOOR_IN = 0,  /* signed in */
    DOOR_VISITOR, /* may make an account */
    DOOR_KNOWN,   /* only from door_key_check: worth a signature */
    DOOR_DENIED,
    DOOR_WAIT, /* too many wrong passwords for this name */
    DOOR_BUSY,
    DOOR_GONE, /* no answer will come: end the connection */
};

void door_clear(struct door *door);

/* A name that is no text an account could have is asked about as "": nobody's. `type` as SSH names
 * it, `fingerprint` as "SHA256:…". */
enum door_result door_key_check(struct door *door, const char *name, const char *type,
                                const char *fingerprint) MUST_CHECK;

/* The key's signature was verified. */
enum door_result door_sign_in_key(struct door *door, const char *name, const char *type,
                                  const char *fingerprint) MUST_CHECK;

/* An empty password makes a visitor. */
enum door_result door_sign_in_password(struct door *door, const char *name,
                                       const char *password) MUST_CHECK;

enum door_result door_sign_in_guest(struct door *door) MUST_CHECK;

#endif
