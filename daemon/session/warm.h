#pragma once

#include "games/macros.h"

#include <stdbool.h>

struct display;
struct sshd_host;

/* What the gate has prepared for its sessions, besides the beginning of the next SSH connection,
 * which the sshd_host keeps. */
struct warm {
    struct display *display;
    struct warm_filler *fillers; /* memory that fills the holes in the heap */
};

/*
 * Prepares the memory that all sessions share. The gate does once what every session would
 * otherwise do first: it makes one SSH handshake with itself, draws one screen that nobody sees,
 * and prepares the beginning of the next SSH connection and of its display. The memory that the
 * libraries allocate for this stays shared. Returns NULL, with a line on the log, if one of these
 * fails: then no session could work.
 */
struct warm *warm_up_shared_memory(struct sshd_host *host) MUST_CHECK;
void warm_free(struct warm *warm);
