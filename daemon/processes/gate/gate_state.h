#ifndef DAEMON_PROCESSES_GATE_GATE_STATE_H
#define DAEMON_PROCESSES_GATE_GATE_STATE_H

#include "daemon/config/config.h"
#include "daemon/processes/common/ports.h"
#include "daemon/processes/gate/gate_core.h"
#include "daemon/processes/gate/limits.h"
#include "daemon/processes/gate/listen.h"
#include "daemon/processes/gate/sessions.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the files of the gate share; nobody else includes this. */
struct confinement;
struct sshd_host;

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

#endif
