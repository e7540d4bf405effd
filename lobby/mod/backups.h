#pragma once

#include "lobby/house/house_state.h"

/*
 * What the house asks of its keeper, the parent process: reloads, the shutdown and backups. The
 * keeper backs up the data every config.backup_every_h hours, and on request; it answers
 * `backed_up`. Only one backup runs at a time; everybody who asks meanwhile gets its result. A
 * failed backup is retried after a while.
 */

/* Asks for the shutdown of the house; false without a keeper. */
bool backups_close(struct house *house) MUST_CHECK;
