#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * What the house asks of its keeper, the parent process: reloads, the shutdown and backups. The
 * keeper backs up the data every config.backup_every_h hours, and on request (`backup`, answered by
 * `backed_up`). Only one backup runs at a time; everybody who asks meanwhile gets its result. A
 * failed backup is retried after a while.
 */

/* backups_reload and backups_close ask for a reload or the shutdown of the house; false without a
 * keeper. backups_back_up asks for a backup: the request is answered, and its audit row written,
 * once the backup is made or has failed; false, with nothing started, when too many requests wait
 * already. */
bool backups_reload(struct house *house, const struct conn *by) MUST_CHECK;
bool backups_close(struct house *house) MUST_CHECK;
bool backups_back_up(const struct request *request, const char *via) MUST_CHECK;
