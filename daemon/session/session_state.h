#ifndef DAEMON_SESSION_SESSION_STATE_H
#define DAEMON_SESSION_SESSION_STATE_H

#include "daemon/session/door.h"
#include "daemon/session/pulse.h"
#include "daemon/session/session.h"
#include "daemon/session/sshd_auth.h"
#include "daemon/session/sshd_channel.h"
#include "daemon/session/watchdog.h"

#include <libssh/libssh.h>
#include <stdbool.h>
#include <stdint.h>

/* What the files of a session share; nobody else includes this. */
struct core_link;
struct ui;

enum {
    SESSION_TURN_MS_MAX = 5000 /* deadlines that are not waited for are looked at this often */
};

/* Descriptors have fixed places in a session, so that all others can be closed. */
enum {
    FD_PEER = 3,
    FD_CORE,
    FD_SIGNED_IN,
    FD_STOP,
    FD_FREE
};

enum {
    HEED_CORE = 1,
    HEED_STOP = 2
};

struct session {
    ssh_session ssh;
    ssh_event event;
    struct core_link *core;
    struct door door;
    struct sshd_auth auth;
    struct sshd_channel channel;
    struct ui *ui;
    struct pulse pulse;
    struct watchdog watchdog;
    int64_t blocked_since_ms; /* 0: not blocked */
    enum session_exit exit;
    bool is_peer_gone;  /* nothing can be said to it any more */
    const char *ending; /* why it ends, for the person; NULL: nothing to be said */
};

/* One turn: waits at most timeout_ms, lets libssh and, as `heed` says, the link to the core do what
 * is due. False when the session has to end: `ending` or `is_peer_gone` is set. */
bool session_turn(struct session *session, int64_t timeout_ms, int heed) MUST_CHECK;

/* Makes the screen for who has signed in; false, with `ending` set, when there is no drawing. */
bool session_open_screen(struct session *session) MUST_CHECK;

/* Until the person leaves, or the session has to end. */
void session_serve_screen(struct session *session);

#endif
