#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * What a process of the house can reach. systemd's unit must allow what the gate needs. This
 * restricts the processes that need less (seccomp(2), permanently and for all programs they start):
 * a bug in the core cannot open a connection. A refused call fails with EPERM.
 */
enum reach {
    REACH_ALL = 0, /* unrestricted */
    REACH_NETWORK, /* outgoing network connections only; no programs */
    REACH_MACHINE, /* only sockets of the machine itself (AF_UNIX) */
    REACH_NOTHING, /* no new sockets, no programs */
};

/* Needs no privilege; sets no_new_privs. Returns false with errno. Does nothing in builds with
 * sanitizers. */
bool reach_limit(enum reach reach) MUST_CHECK;
