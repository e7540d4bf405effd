#pragma once

#include "daemon/session/api.h"
#include "daemon/session/keepalive.h"
#include "daemon/session/login.h"
#include "daemon/session/session.h"
#include "daemon/session/session_fds.h"
#include "daemon/session/terminal.h"
#include "daemon/session/watchdog.h"

/* The state that the files session*.c share; no other file includes this header. */
struct confinement;
struct core_link;
struct session;
struct ui;
struct query_run;

enum {
    SESSION_SIGN_IN_CPU_MS = 1000, /* CPU time that a session may use before somebody has
                                      signed in: a hundred times what signing in needs */
};

enum {
    LISTEN_TO_CORE = 1,
    LISTEN_TO_STOP = 2
};

/* The functions of a transport: SSH or telnet. */
struct transport {
    /* Prepares the transport. Returns false if the system refuses what it needs. */
    bool (*begin)(struct session *session, const struct session_setup *setup);
    /* Runs until somebody has signed in and a terminal waits for a screen. Returns false if the
     * session must end: `exit` is set, and `ending` or `is_peer_gone`. */
    bool (*enter)(struct session *session);
    /* Returns the poll(2) events that the transport waits for. */
    short (*events)(const struct session *session);
    /* Runs the transport's part of a pass of the session's loop. Reads input if has_input. Returns
     * false if the session must end: `ending` is set, or the client is gone. */
    bool (*take)(struct session *session, bool has_input);
    /* True while output is waiting to be sent, so that nothing more should be drawn. */
    bool (*is_blocked)(const struct session *session);
    /* Sends as much output as the client accepts now; returns the number of bytes sent. */
    size_t (*send)(struct session *session);
    /* Asks the client to hide what is typed, or to show it again. This member is NULL if clients of
     * this transport never show what is typed. */
    void (*hide)(struct session *session, bool is_secret);
    /* `heard` returns the number of bytes received from the client; `ask` sends a question that
     * every client answers. */
    uint64_t (*heard)(const struct session *session);
    void (*ask)(struct session *session);
    /* Sends the last message and closes the connection. */
    void (*leave)(struct session *session, int exit_status);
};

extern const struct transport session_ssh;
extern const struct transport session_telnet;

/* What the person connected for: a screen, the protocol for programs, or a query. */
enum session_use {
    USE_SCREEN = 0,
    USE_API,
    USE_QUERY,
};

struct session {
    const struct confinement *confinement; /* borrowed, like the next member */
    const struct config *config;
    const struct transport *transport;
    int64_t conn;
    void *own; /* state of the transport */
    struct core_link *core;
    struct login login;
    uint32_t password_min, password_max; /* shortest and longest password in bytes, as the core has
                                            told us; 0: not known yet */
    struct terminal terminal;
    enum session_use use;
    struct display *display; /* the display that the gate has prepared */
    struct ui *ui;           /* the screen; NULL if there is none */
    int64_t release_due_ms;  /* when unused memory is given back to the system, monotonic; 0: no
                                frame has been drawn since the last time */
    int64_t first_frame_ms;  /* when the first frame is drawn at the latest; 0: it has been drawn */
    struct api api;          /* state of the program's connection, for USE_API */
    const char *command;     /* the command line of the query, for USE_QUERY */
    struct query_run *query; /* the parsed command line */
    struct keepalive keepalive;
    struct watchdog watchdog;
    int64_t blocked_since_ms;
    enum session_exit exit;
    bool is_peer_gone;     /* nothing more can be sent to the client */
    bool is_peer_at_fault; /* the client sent something that ends the session */
    const char *ending;    /* the last message to the person: why the session ends; NULL: none */
};
