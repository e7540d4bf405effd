#pragma once

#include "games/macros.h"

/*
 * What a session gives up before it reads a byte from outside: access to other processes, core
 * dumps, being traced by its user, new privileges, unlimited memory, root, files
 * (daemon/base/files.h) and most system calls (syscalls.h). The gate prepares the confinement once,
 * before it forks sessions. Builds with sanitizers are not confined, because sanitizers need
 * memory, root and all system calls.
 */
struct confinement;

/* the user of sessions if root starts the house and no other is configured */
#define CONFINE_USER "nobody"

/* Prepares the confinement. `user` is the account that sessions run as; NULL: CONFINE_USER. Logs
 * one line with what the kernel offers. Returns NULL, with a line on the log, if sessions cannot be
 * confined: no such account, the kernel does not accept the filter, or a trial failed. */
struct confinement *confinement_new(const char *user) MUST_CHECK;
void confinement_free(struct confinement *confinement);

/* First of three steps in which a forked session confines itself: restricts its files. Call it
 * while the confinement's descriptor is open. Each step exits, with a line on the log, if the
 * kernel refuses. */
void confine_files(const struct confinement *confinement);

/* Second step of the confinement: restricts everything except files. Call it when only the standard
 * descriptors and the session's own are open. */
void confine_session(const struct confinement *confinement);

/* Third step of the confinement, once the screen has started: forbids what only the start of the
 * screen needed. */
void confine_screen(const struct confinement *confinement);
