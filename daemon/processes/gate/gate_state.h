#ifndef DAEMON_PROCESSES_GATE_GATE_STATE_H
#define DAEMON_PROCESSES_GATE_GATE_STATE_H

#include "daemon/config/config.h"
#include "daemon/processes/gate/gate_core.h"
#include "daemon/processes/limits.h"
#include "daemon/processes/listen.h"
#include "daemon/processes/ports.h"
#include "daemon/processes/sessions.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the files of the gate share; nobody else includes this. */
struct confinement;
struct sshd_host;

enum {
    GATE_PAUSE_MS = 1000 /* without descriptors or memory, accepting waits so long */
};

/* What an epoll event is about: one of these, or gate_session_watch's. */
enum {
    WATCH_SIGNALS = 0,
    WATCH_CORE,
    WATCH_LISTEN,
    WATCH_SESSION
};

struct gate {
    struct sshd_host *host;
    struct confinement *confinement;
    struct config config;
    struct limits_rate *rate;
    struct sessions sessions;
    struct gate_core core;
    int64_t next_conn;
    int epoll, signals;
    struct gate_listener {
        int socket;
        bool is_telnet;                  /* else SSH */
    } listeners[2 * LISTEN_SOCKETS_MAX]; /* for SSH and telnet */
    size_t listener_count;
    int64_t paused_until_ms; /* 0: listening */
    int64_t refusal_logged_ms;
    unsigned refused; /* since then */
    bool is_stopping;
    int ready_fd; /* gets the ports once it listens and has all it needs; -1: it has */
    struct ports ports;

    char *host_key, *session_user; /* owned: what the setup said */
    bool is_renewable;             /* the program knows `trickhouse gate` */
    bool is_suspect;               /* a session has died of a signal since it began */
    int64_t began_ms;              /* steady: when this run of the program did */
    unsigned renewals;
    int settings;          /* what a reload asks for (gate_settings.h); -1: there is none */
    bool is_reloading;     /* it has been asked for */
    bool has_new_settings; /* this exec is a reload's: `settings` counts from now on */
    bool has_paused_logs;  /* some session has said too much (gate_log.h) */
    int64_t
        cpu_looked_ms; /* steady: when the sessions' processor time was looked at (gate_cpu.h) */
};

/* The epoll event of the session in that place: its log, or that somebody has signed in. */
static inline uint64_t gate_session_watch(size_t index, bool is_log)
{
    return WATCH_SESSION + 2 * (uint64_t)index + (is_log ? 1 : 0);
}

/* Opens the ports of the setup; false, with a line on the log, when one cannot be had. */
struct gate_setup;
bool gate_listen(struct gate *gate, const struct gate_setup *setup) MUST_CHECK;
void gate_stop_listening(struct gate *gate);

/* As epoll_ctl; false with a line on the log. */
bool gate_watch(const struct gate *gate, int fd, uint32_t events, uint64_t what, int operation);

/* Listens, or does not until GATE_PAUSE_MS have passed (paused_until_ms). */
void gate_set_listening(struct gate *gate, bool is_listening);

/* Accepts some of the connections that wait: each becomes a session, or is told why not. The core
 * is to be told afterwards. */
void gate_admit_some(struct gate *gate);

/* Waits for each session that nobody has signed in to yet. False with a line on the log. */
bool gate_watch_sessions(const struct gate *gate) MUST_CHECK;

/* What such a session has to say: that somebody has signed in, or nothing any more. */
void gate_hear_session(struct gate *gate, struct sessions_entry *entry);

/* Ends the processes of sessions that the house has ended and that are still there. How long until
 * the next one is due, in ms; -1: none is. */
int64_t gate_end_overdue(struct gate *gate, int64_t now_ms);

/* Takes note of the sessions that have died, and of what that means for those who are behind. */
void gate_reap(struct gate *gate);

#endif
