#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * Limits what a process of the house can reach, through seccomp(2), permanently and for all
 * programs that it starts: a bug in the core cannot open a connection. A refused call fails with
 * EPERM. systemd's unit must allow what the gate needs.
 */
enum reach {
    REACH_ALL = 0, /* everything: no limit */
    REACH_NETWORK, /* outgoing network connections only; no programs */
    REACH_MACHINE, /* only sockets of the machine itself (AF_UNIX) */
    REACH_NOTHING, /* no new sockets, no programs */
};

/* Needs no privilege; sets no_new_privs. Returns false with errno. Does nothing in builds with
 * sanitizers. */
bool reach_limit(enum reach reach) MUST_CHECK;
