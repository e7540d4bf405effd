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

/* The keeper is there from now on. The setup is borrowed. Dies when memory is out. */
struct keeper *keeper_new(struct core *core, const struct core_setup *setup);

/* Gives up what is under way. Takes NULL. */
void keeper_free(struct keeper *keeper);

/* A message of the house's to its keeper. */
void keeper_receive(struct keeper *keeper, const char *json, size_t len);

/* Does what is due; outside a transaction. True when the house was told something. */
bool keeper_work(struct keeper *keeper) MUST_CHECK;

#endif
