#ifndef DAEMON_PROCESSES_SUPERVISOR_H
#define DAEMON_PROCESSES_SUPERVISOR_H

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Starts the processes of a house, starts again whichever dies, and owns nothing else: the sockets
 * between them are made here and kept, so that what is said to a dead process waits for the next.
 */
struct supervisor_setup {
    const char *data_dir;
    const char *name;         /* the house's, shown to people */
    const char *bind_address; /* NULL: every address */
    uint16_t ssh_port;        /* 0: any that is free */
    uint32_t sessions_max;
    uint32_t bot_delay_ms;
    uint32_t absent_grace_s;
    bool is_logged_to_file; /* the log goes to house.log in the data folder */
    int ready_fd; /* gets the port as text with a newline once people can come in, and is closed;
                     -1: none */
};

/* Prints the line that people can come in: "Trickhouse is open: ssh -p 2222 localhost". */
void supervisor_announce(const struct supervisor_setup *setup, uint16_t ssh_port);

/*
 * Serves until SIGTERM, SIGINT or SIGHUP, then closes the house in order: the core says goodbye and
 * closes the data, then the gate and its sessions end, then the rest; who takes longer than a few
 * seconds is killed, and no process is left. Once people can come in it calls
 * supervisor_announce and tells systemd.
 *
 * Returns the exit status: 0 after a signal; 1, said on the log, when the house could not open or a
 * process kept dying.
 */
int supervisor_run(const struct supervisor_setup *setup) MUST_CHECK;

#endif
