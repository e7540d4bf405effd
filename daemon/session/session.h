#pragma once

#include "daemon/base/process_name.h"
#include "daemon/config/config.h"

/*
 * A session is a process that serves one person's connection from the first byte to the last:
 *
 *     SSH:    key exchange ──► sign-in ──► wait for a shell ──► screen ──► closing
 *     telnet: negotiation ───► sign-in ──► screen ──► closing
 *
 * Each step but the screen has a time limit (config.def, [door]).
 */
struct sshd_host;
struct confinement;
struct warm;

/* The reason why the session ended, as the exit status of its process. The gate chooses the
 * client's penalty by this reason. */
enum session_exit {
    SESSION_ENDED = 0,   /* the session ended through no fault of the client */
    SESSION_FAILED,      /* the house could not serve the client */
    SESSION_NO_AUTH,     /* the client left without trying to sign in */
    SESSION_AUTH_FAILED, /* the client left or was disconnected after wrong tries */
    SESSION_GRACE,       /* the time for signing in ran out */
    SESSION_GREEDY,      /* the client used too much processor time */
    SESSION_SILENT,      /* the client no longer answered */
    SESSION_STALLED,     /* the client no longer accepted output */
};

struct session_setup {
    bool is_telnet;         /* true: telnet; false: SSH */
    bool is_encrypted;      /* a proxy says that TLS encrypts this telnet */
    struct sshd_host *host; /* prepared once by the gate (warm.h), like the next member */
    const struct warm *warm;
    const struct confinement *confinement;
    const struct config *config;
    struct command_line command_line; /* of the gate, and so of the session */
    int peer_socket;                  /* the socket of the client's connection */
    int core_socket;                  /* the session's end of its socket pair with the core */
    int signed_in_fd; /* receives SEPARATION_DONE (separation.h), later another byte once somebody
                         has signed in, and is then closed */
    int log_fd;       /* receives the session's log lines */
    int64_t conn;     /* the connection's number */
};

/* Turns this process, which the gate has forked for a new connection, into a session. Closes all
 * descriptors but the session's own, so that the session shares no open file. Confines the process.
 * Serves the connection until its end or SIGTERM. Exits with an enum session_exit. */
_Noreturn void session_run(const struct session_setup *setup);
