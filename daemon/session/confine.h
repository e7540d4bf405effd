#pragma once

#include "games/macros.h"

/*
 * What a session gives up before it reads a byte from outside (SECURITY.md, Sandbox of a session):
 * other processes, core dumps, being traced by its user, new privileges, memory without end, root,
 * files (daemon/base/files.h), most system calls (syscalls.h). What is needed for that is prepared
 * once, by the process that sessions are forked from. Sanitizer builds keep their memory, root and
 * all system calls, which they need for themselves.
 */
struct confinement;

/* Who sessions are when the house runs as root, unless somebody else is named. */
#define CONFINE_USER "nobody"

/* `user` is the account for that; NULL: CONFINE_USER. What of all this the kernel offers is said
 * in one line on the log. NULL, with a line on the log, when no session could be confined: no such
 * account, no filter for the kernel, or a trial failed. */
struct confinement *confinement_new(const char *user) MUST_CHECK;
void confinement_free(struct confinement *confinement);

/* Three steps of a process forked from the one that made the confinement; each dies, with a line
 * on the log, when the kernel refuses what it offered before. First: files, while the
 * confinement's own descriptor is open. */
void confine_files(const struct confinement *confinement);

/* Then, once no descriptor is open but the standard ones and the session's own: all the rest. */
void confine_session(const struct confinement *confinement);

/* When the screen has started: what only its start needed. */
void confine_screen(const struct confinement *confinement);
