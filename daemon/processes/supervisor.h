#pragma once

#include "daemon/processes/common/listeners.h"
#include "daemon/processes/common/ports.h"

struct config;

/*
 * The supervisor starts the processes of a house and restarts those that die. It makes and keeps
 * the sockets between the processes, so that messages to a dead process wait for its successor.
 */
struct supervisor_setup {
    const char *data_dir;
    const struct config *config; /* borrowed */
    bool is_logged_to_file;      /* the log goes to house.log in the data folder */
    const char *program;         /* path of the program to run at a reload */
    /* arguments of that program, beginning with `serve` and ended by NULL */
    const char *const *args;
    struct listeners listeners; /* those that systemd has opened for the house, which takes them
                                   over; empty after an exec */
    int image;    /* descriptor of the image after an exec (reload.h); -1: the house is new */
    int ready_fd; /* receives the ports (ports.h) once people can connect, and is then closed; -1:
                     none */
};

/* Prints that people can connect: "Trickhouse is open: ssh -p 2222 localhost", and also the telnet
 * address if telnet is on. */
void supervisor_announce_opening(const struct supervisor_setup *setup, const struct ports *ports);

/*
 * Serves until SIGTERM or SIGINT, then closes the house in order: the core says goodbye and
 * closes the data, then the gate and its sessions end, then the workers. A process that takes
 * longer than a few seconds is killed, so that no process is left.
 *
 * Once people can connect, calls supervisor_announce_opening and tells systemd. A house that waits
 * for its data (core_waiting.h) prints that, and tells systemd at once that it has started.
 *
 * At SIGUSR1, and at SIGHUP unless that is ignored when the house starts (nohup(1)), reloads:
 * executes its program again, which may be a newer version, with the same arguments (and `--resume
 * N`), reads the settings again, and replaces core, gate and workers one after the other. No
 * connection ends. If the arguments, settings or anything else that the next processes need are
 * bad, nothing changes, and the log says why. A change of the ports takes effect only when the
 * house is opened again.
 *
 * Returns the exit status: 0 after a signal; 1, with a line on the log, if the house could not open
 * or a process kept dying.
 */
int supervisor_run(const struct supervisor_setup *setup) MUST_CHECK;
