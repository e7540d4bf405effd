#pragma once

#include "games/macros.h"

#include <stdbool.h>

struct sshd_host;

/*
 * Does once, in the process that sessions are forked from, what every session would do first for
 * itself: one SSH handshake (with itself) and one screen, painted for nobody. What the libraries
 * set up for that stays in memory that all sessions share. False, with a line on the log, when
 * either fails: then no session could serve anyone.
 */
bool warm_up(struct sshd_host *host) MUST_CHECK;
