#pragma once

#include "lobby/house/house_state.h"

/*
 * What the core asks of the keeper, the parent process of the house: to reload the configuration,
 * to shut down, and to make backups. A backup is made every config.backup_every_h hours, and on
 * request; the keeper answers `backed_up`. Only one backup runs at a time. Everybody who asks while
 * it runs gets its result. A failed backup is retried after a while.
 */

/* Asks the keeper to shut the house down; false when no keeper is connected. */
bool backups_request_shutdown(struct house *house) MUST_CHECK;
