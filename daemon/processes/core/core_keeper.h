#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

struct core;
struct core_setup;
struct keeper;

/*
 * Makes the backups and prepares the reloads that the house asks for. The house sends the keeper
 * messages as it does to other processes, but the keeper is a part of the core's process. A backup
 * is copied in small steps between passes of the core's loop, checked by a separate process, and
 * kept only if it passes:
 *
 *     idle ──`backup`──► copying ──► checking ──► `backed_up`, idle
 */

/* Connects the keeper to the house. The setup is borrowed. Aborts if memory runs out. */
struct keeper *keeper_new(struct core *core, const struct core_setup *setup);

/* Frees the keeper and abandons a backup or reload check that is not finished. Accepts NULL. */
void keeper_free(struct keeper *keeper);

/* Handles a request that the house sends to the keeper: for a backup, a reload or the end of the
 * house. */
void keeper_receive(struct keeper *keeper, const char *json, size_t len);

/* Takes the next step of a backup or of a check before a reload, if a step is due. Must not be
 * called within a transaction. Returns true if the house was sent a message. */
bool keeper_do_due_steps(struct keeper *keeper) MUST_CHECK;
