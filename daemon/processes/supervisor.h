#ifndef DAEMON_PROCESSES_SUPERVISOR_H
#define DAEMON_PROCESSES_SUPERVISOR_H

#include "daemon/processes/common/ports.h"
#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

struct config;

/*
 * Starts the processes of a house, starts again whichever dies, and owns nothing else: the sockets
 * between them are made here and kept, so that what is said to a dead process waits for the next.
 */
struct supervisor_setup {
    const char *data_dir;
    const struct config *config; /* borrowed */
    bool is_logged_to_file;      /* the log goes to house.log in the data folder */
    const char *program;         /* path of the program, to be run again at a reload */
    const char *const *args;     /* its arguments, `serve` the first of them, ended by NULL */
    int image;                   /* goes on from before an exec (supervisor_image.h); -1: begins */
    int ready_fd; /* gets the ports (ports.h) once people can come in, and is closed; -1: none */
};

/* Prints the line that people can come in: "Trickhouse is open: ssh -p 2222 localhost", and how by
 * telnet, if they can. */
void supervisor_announce(const struct supervisor_setup *setup, const struct ports *ports);

/*
 * At SIGUSR1 it reloads: runs its program again, which may be a newer one, with the same arguments
 * (and `--resume N`), reads the settings anew, and replaces core, gate and workers one after the
 * other; no connection ends. When the arguments or settings are bad, said on the log, nothing
 * changes. Where the house listens changes only when it is opened anew.
 *
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
