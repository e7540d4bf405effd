#ifndef DAEMON_PROCESSES_REACH_H
#define DAEMON_PROCESSES_REACH_H

#include "games/macros.h"

#include <stdbool.h>

/*
 * How far a process of the house can reach. The supervisor's unit has to allow what the gate needs;
 * this takes it from those who need less (seccomp(2), for good and for all they start): a bug in
 * the core cannot be made to call home. A refused call answers EPERM.
 */
enum reach {
    REACH_ALL = 0, /* as the house itself */
    REACH_NETWORK, /* out into it, where nobody can reach in; no programs */
    REACH_MACHINE, /* no sockets but those of the machine itself (AF_UNIX) */
    REACH_NOTHING, /* no new sockets, no programs */
};

/* Needs nothing; sets no_new_privs. False with errno. Sanitizer builds stay as they are. */
bool reach_limit(enum reach reach) MUST_CHECK;

#endif
