#ifndef DAEMON_PROCESSES_CORE_CORE_KEEPER_H
#define DAEMON_PROCESSES_CORE_CORE_KEEPER_H

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

struct core;
struct core_setup;
struct keeper;

/*
 * What the house asks of the process it runs in, as a peer of its own: backups. One is copied a
 * little at a time between turns, looked through by a process of its own, and only then kept:
 *
 *     idle ──`backup`──► copying ──► checking ──► `backed_up`, idle
 */

/* Connects the keeper to the house. The setup is borrowed. Aborts if memory runs out. */
struct keeper *keeper_new(struct core *core, const struct core_setup *setup);

/* Abandons unfinished work. Accepts NULL. */
void keeper_free(struct keeper *keeper);

/* Handles a message of the house to its keeper. */
void keeper_receive(struct keeper *keeper, const char *json, size_t len);

/* Does the work that is due, outside of a transaction. Returns true if the house was told
 * something. */
bool keeper_work(struct keeper *keeper) MUST_CHECK;

#endif
