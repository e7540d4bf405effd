#pragma once

#include "games/macros.h"

#include <stdbool.h>

struct sshd_host;

/*
 * Prepares the memory that all sessions share. The gate does once what every session would
 * otherwise do first: it makes one SSH handshake with itself, and draws one screen that nobody
 * sees. The memory that the libraries allocate for this stays shared. Returns false, with a line on
 * the log, if either fails: then no session could work.
 */
bool warm_up_shared_memory(struct sshd_host *host) MUST_CHECK;
