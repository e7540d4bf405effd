#pragma once

#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/ports.h"

struct config;
struct listeners;

/*
 * The gate listens, limits connections, and forks one session for each. It is a peer of the core
 * (PROTOCOL.md, "The gate").
 */
enum {
    GATE_DESCRIPTORS_EACH = 4,    /* open descriptors that a session takes in the gate */
    GATE_DESCRIPTORS_SPARE = 448, /* open descriptors that the gate needs besides: those below
                                     SEPARATION_FDS (separation.h), those of connections that wait
                                     for their proxy (gate_proxy.h), and some more */
};

struct gate_setup {
    int core_socket; /* the gate's end of its socket pair with the core (packet.h) */
    int settings;    /* descriptor of the file with the settings for a reload at SIGUSR1
                        (gate_settings.h); -1: none */
    int ready_fd;    /* receives the ports (ports.h) once the gate listens, and is then closed; -1:
                        none */
    const char *host_key;   /* path of the ed25519 key in OpenSSH's format */
    struct metrics metrics; /* the page is borrowed; it is hidden from all children. After an exec,
                               the gate maps the page in the folder of the host key */
    const char *session_user; /* user of the sessions if the gate is root; NULL: CONFINE_USER
                                 (confine.h) */
    struct ports ports; /* ports to listen on, besides those of [proxy]; 0: a free port that the
                           system chooses */
    /* sockets that systemd has opened, used in place of the ports for their transport; the gate
     * takes over its copies */
    const struct listeners *listeners;
    bool is_renewable;  /* the program is trickhouse, whose command `gate` calls gate_resume, so the
                           gate can renew itself (gate_renew.h) */
    int64_t first_conn; /* the first connection number; the numbers increase from here */
    const struct config *config; /* settings of the house; gate_run copies them */
};

/*
 * Runs the gate in this process, which must ignore SIGPIPE, have all other signals at their
 * defaults, and have no descriptors open but standard input, output and error and those of the
 * setup. At SIGUSR2 stops listening: the house is about to close. Serves until SIGTERM, then stops
 * listening, ends its sessions within two seconds and returns. Sessions outlive a gate that dies,
 * and their connection numbers stay in use; the supervisor kills these sessions only at the end of
 * the house. A restarted core reads from the same socket pair and sends `resync`; the gate then
 * says `hello`, and hands over every living connection after `welcome`. Returns the exit status: 0
 * after SIGTERM; 1, with a line on the log, if the gate could not listen.
 */
int gate_run(const struct gate_setup *setup);

/* Continues the gate after its process has executed the program again (gate_renew.h). The image
 * holds the gate's state (gate_image.h). */
int gate_resume(int image_fd);
