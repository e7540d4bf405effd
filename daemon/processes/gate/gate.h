#ifndef DAEMON_PROCESSES_GATE_GATE_H
#define DAEMON_PROCESSES_GATE_GATE_H

#include "daemon/processes/common/ports.h"

#include <stdbool.h>
#include <stdint.h>

struct config;

/*
 * The gate: listens, limits, and forks one session per connection. It is a peer of the core
 * (PROTOCOL.md, "The gate").
 */
struct gate_setup {
    int core_socket;          /* the gate's end of its pair with the core (packet.h) */
    int settings;             /* what a reload asks for at SIGUSR1 (gate_settings.h); -1: nothing */
    int ready_fd;             /* gets the ports (ports.h), and is closed, once the gate listens;
                                 -1: none */
    const char *host_key;     /* path of the ed25519 key in OpenSSH's format */
    const char *session_user; /* who sessions are when the gate is root; NULL: confine.h's */
    struct ports ports;       /* instead of the configured ones; 0: any that is free */
    bool is_renewable;        /* the running program is trickhouse, whose command `gate` calls
                                 gate_resume: the gate renews itself (gate_renew.h) */
    int64_t first_conn;       /* connection numbers rise from here */
    const struct config *config; /* copied */
};

/*
 * Runs in a process of its own, with SIGPIPE ignored, all other signals as usual, and nothing but
 * standard input, output and error and the setup's descriptors open. Serves until SIGTERM, then
 * stops listening, ends its sessions within two seconds and returns. When it dies the supervisor
 * kills what is left of its process group only at the end of the house: sessions outlive a gate,
 * and their numbers too.
 *
 * A core that restarts reads from the same socket pair and sends `resync`; the gate then says
 * `hello`, and hands over every living connection after `welcome`.
 *
 * Returns the exit status: 0 after SIGTERM, 1 when it could not listen (said on the log).
 */
int gate_run(const struct gate_setup *setup);

/* The same for a gate that has run its program again; all it knows is in the image
 * (gate_image.h). */
int gate_resume(int image);

#endif
