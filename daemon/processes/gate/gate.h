#pragma once

#include "daemon/processes/common/ports.h"

struct config;

/*
 * The gate listens, limits connections, and forks one session for each. It is a peer of the core
 * (PROTOCOL.md, "The gate").
 */
struct gate_setup {
    int core_socket; /* the gate's end of its socket pair with the core (packet.h) */
    int settings;    /* settings for a reload at SIGUSR1 (gate_settings.h); -1: none */
    int ready_fd; /* receives the ports (ports.h) once the gate listens, and is closed; -1: none */
    const char *host_key; /* path of the ed25519 key in OpenSSH's format */
    const char *
        session_user; /* user of the sessions if the gate is root; NULL: CONFINE_USER (confine.h) */
    struct ports ports; /* the program is trickhouse, whose subcommand `gate` calls gate_resume, so
                           that the gate can renew itself (gate_renew.h) */
    bool is_renewable;  /* the program is trickhouse, whose command `gate` calls gate_resume, so the
                           gate can renew itself (gate_renew.h) */
    int64_t first_conn; /* the first connection number; the numbers increase from here */
    const struct config *config; /* settings of the house, copied */
};

/*
 * Runs in a process of its own, with SIGPIPE ignored, all other signals at their defaults, and no
 * descriptors open but standard input, output and error and those of the setup. Serves until
 * SIGTERM, then stops listening, ends its sessions within two seconds and returns. Sessions outlive
 * a gate that dies, and their numbers stay taken; the supervisor kills them only at the end of the
 * house. A restarted core reads from the same socket pair and sends `resync`; the gate then says
 * `hello`, and hands over every living connection after `welcome`. Returns the exit status: 0 after
 * SIGTERM, 1, with a line on the log, if it could not listen.
 */
int gate_run(const struct gate_setup *setup);

/* Continues serving after the gate has executed its program again. The image holds the state of the
 * gate (gate_image.h). */
int gate_resume(int image_fd);
