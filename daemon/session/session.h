#pragma once

#include "daemon/config/config.h"
#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One person's connection, from the first byte to the last, in a process of its own:
 *
 *     SSH:    key exchange ──► door ──► wait for a shell ──► screen ──► closing
 *     telnet: negotiation ───► door ──► screen ──► closing
 *
 * Each step but the screen has its time (config.def, [door]).
 */
struct sshd_host;
struct confinement;

/* How it ended, as the process's exit status: for the gate's penalties. */
enum session_exit {
    SESSION_ENDED = 0,   /* nothing to complain of */
    SESSION_FAILED,      /* the house could not serve it */
    SESSION_NO_AUTH,     /* it left without trying to sign in */
    SESSION_AUTH_FAILED, /* it left or was sent away after wrong tries */
    SESSION_GRACE,       /* it used up the time for signing in */
    SESSION_GREEDY,      /* it used too much of the processor */
    SESSION_SILENT,      /* it no longer answered */
    SESSION_STALLED,     /* it no longer took what it was sent */
};

struct session_setup {
    bool is_telnet;         /* else SSH */
    struct sshd_host *host; /* warm */
    const struct confinement *confinement;
    const struct config *config;
    int peer_socket;  /* the connection */
    int core_socket;  /* this session's end of its packet pair with the core */
    int signed_in_fd; /* gets one byte, and is closed, when somebody has signed in */
    int log_fd;       /* what it says on the log goes there */
    int64_t conn;     /* the connection's number */
};

/* Makes this process, forked from the gate for it, a session: closes every other descriptor, so
 * that it shares no open file with anybody, gives up what it does not need, serves the connection
 * until it ends or SIGTERM comes. Exits with an enum session_exit. */
_Noreturn void session_run(const struct session_setup *setup);
