#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * Limits what a process of the house can reach, so that a bug in the core, for example, cannot open
 * a connection. The limits use seccomp(2). They are permanent and apply to all programs that the
 * process starts. A refused call fails with EPERM. systemd's unit must allow what the gate needs.
 */
enum reach {
    REACH_ALL = 0, /* the process can reach everything */
    REACH_NETWORK, /* the process can only make outgoing network connections, and cannot start
                      programs */
    REACH_NODES,   /* the process can make and accept TCP connections, but opens no files and cannot
                      start programs */
    REACH_DATABASE, /* the process can make outgoing connections, accept connections on sockets that
                       it was given, and start programs: for a core whose data are in PostgreSQL */
    REACH_MACHINE,  /* the process can only make sockets within this machine (AF_UNIX) */
    REACH_NOTHING,  /* the process can make no sockets and start no programs */
};

/* Limits this process to what `reach` allows. Needs no privilege; sets no_new_privs. Returns false
 * with errno. Does nothing in builds with sanitizers. */
bool reach_restrict_process(enum reach reach) MUST_CHECK;
