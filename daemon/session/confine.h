#pragma once

#include "games/macros.h"

/*
 * Confines a session before it reads a byte from outside. The session gives up access to other
 * processes, core dumps, being traced by its user, new privileges, unlimited memory, root's rights,
 * files (daemon/base/files.h) and most system calls (syscalls.h). The gate prepares the confinement
 * once, before it forks sessions. Builds with sanitizers are not confined, because sanitizers need
 * memory, root and all system calls.
 */
struct confinement;

/* user of the sessions if root starts the house and no other user is configured */
#define CONFINE_USER "nobody"

/* Prepares the confinement. `user` is the account of the sessions' processes; NULL: CONFINE_USER.
 * Logs in one line what the kernel offers. Returns NULL, with a line on the log, if sessions cannot
 * be confined: the account does not exist, the kernel does not accept the filter, or a trial
 * failed. */
struct confinement *confinement_new(const char *user) MUST_CHECK;
void confinement_free(struct confinement *confinement);

/* The first of the three steps by which a forked session confines itself: restricts its files. Call
 * it while the confinement's descriptor is open. Each step exits, with a line on the log, if the
 * kernel refuses it. */
void confine_files(const struct confinement *confinement);

/* The second step of the confinement: restricts everything except files. Call it when no
 * descriptors are open but the standard ones and the session's own. */
void confine_session(const struct confinement *confinement);

/* The third step of the confinement, after the screen has started: forbids the system calls that
 * were needed only to start the screen. */
void confine_after_screen_start(const struct confinement *confinement);
