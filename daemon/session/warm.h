#pragma once

#include "games/macros.h"

#include <stdbool.h>

struct sshd_host;

/*
 * Does once, in the gate, what every session would otherwise do first: one SSH handshake (with
 * itself) and one screen, drawn for nobody. What the libraries allocate for that stays in memory
 * that all sessions share. False, with a line on the log, if either fails: then no session could
 * work.
 */
bool warm_up(struct sshd_host *host) MUST_CHECK;
