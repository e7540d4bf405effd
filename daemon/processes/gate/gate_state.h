#pragma once

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/gate/gate.h"

/* The state that the files of the gate share; no other file includes this header. */
struct confinement;
struct sshd_host;
struct warm;

struct gate {
    struct sshd_host *host;
    struct warm *warm; /* prepared for the sessions */
    struct confinement *confinement;
    struct config config;
    struct metrics metrics; /* its page does not exist in the sessions */
    struct command_line command_line;
    struct limits_rate *rate;
    struct sessions sessions;
    struct gate_core core;
    int64_t next_conn;
    int epoll, signals;
    int exits; /* an epoll descriptor for the ends of the processes of sessions */
    struct listeners listeners;
    struct gate_proxied *proxied; /* connections that wait for their proxy's header (gate.h) */
    size_t proxied_count;
    int64_t paused_until_ms; /* no connection is accepted before this time; 0: not paused */
    int64_t refusal_logged_ms;
    unsigned refused; /* number of refused connections since a refusal was last logged */
    bool is_stopping;
    int ready_fd; /* receives the ports once the gate listens; -1 afterwards */
    struct ports ports;

    char *host_key, *session_user; /* copies of the texts in the gate_setup */
    bool is_renewable; /* the program has the subcommand `trickhouse gate`, with which the gate
                          renews itself */
    bool is_suspect;   /* a session has died of a signal since the program was started */
    int64_t began_ms;  /* when the program was last started, monotonic */
    unsigned renewals;
    int settings;      /* descriptor of the file with the settings for a reload (gate.h); -1:
                          none */
    bool is_reloading; /* the supervisor has requested a reload */
    /* when the processor time of sessions was last measured, and that of all sessions, not only of
     * those in which nobody has signed in (gate.h), monotonic */
    int64_t cpu_measured_ms, cpu_all_measured_ms;
};
