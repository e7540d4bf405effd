#pragma once

#include "daemon/session/api.h"
#include "daemon/session/door.h"
#include "daemon/session/pulse.h"
#include "daemon/session/session.h"
#include "daemon/session/terminal.h"
#include "daemon/session/watchdog.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the files of a session share; nobody else includes this. */
struct confinement;
struct core_link;
struct session;
struct ui;
struct query_run;

enum {
    SESSION_SIGN_IN_CPU_MS = 1000, /* a hundred times what signing in takes */
    SESSION_TURN_MS_MAX = 5000     /* deadlines that are not waited for are looked at this often */
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

/* What differs between the ways people are connected. */
struct transport {
    /* Gets ready to speak; false when the machine does not let it. */
    bool (*begin)(struct session *session, const struct session_setup *setup);
    /* All the way to somebody signed in, and a terminal that waits for a screen. False when the
     * session has to end: `ending` or `is_peer_gone` is set, and `exit`. */
    bool (*enter)(struct session *session);
    /* The poll(2) events it waits for. */
    short (*events)(const struct session *session);
    /* One turn: takes what has come, if something has. False when the session has to end: `ending`
     * is set, or else the peer is gone. */
    bool (*take)(struct session *session, bool has_come);
    /* True while something painted has not left for the network: nothing more should be painted. */
    bool (*is_blocked)(const struct session *session);
    /* Sends what there is room for; returns how many bytes of it left. */
    size_t (*send)(struct session *session);
    /* Whether what is typed is better not shown just now; NULL where clients never show it. */
    void (*hide)(struct session *session, bool is_secret);
    /* Bytes that ever came, and a question that brings some from a client that lives. */
    uint64_t (*heard)(const struct session *session);
    void (*ask)(struct session *session);
    /* Says the last words and closes. */
    void (*leave)(struct session *session, int exit_status);
};

extern const struct transport session_ssh;
extern const struct transport session_telnet;

/* What somebody has come for. */
enum session_use {
    USE_SCREEN = 0,
    USE_API,
    USE_QUERY,
};

struct session {
    const struct confinement *confinement; /* borrowed, as the next */
    const struct config *config;
    const struct transport *transport;
    int64_t conn;
    void *own; /* the transport's */
    struct core_link *core;
    struct door door;
    uint32_t password_min, password_max; /* bytes, as the house says; 0: not known */
    struct terminal terminal;
    enum session_use use;
    struct ui *ui;           /* of a screen */
    struct api api;          /* of a program */
    const char *command;     /* what was asked for instead of a screen */
    struct query_run *query; /* that, once it is understood */
    struct pulse pulse;
    struct watchdog watchdog;
    int64_t blocked_since_ms; /* 0: not blocked */
    enum session_exit exit;
    bool is_peer_gone;     /* nothing can be said to it any more */
    bool is_peer_at_fault; /* it ends because of what the peer sent */
    const char *ending;    /* why it ends, for the person; NULL: nothing to be said */
};
