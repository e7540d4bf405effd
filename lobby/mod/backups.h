#ifndef LOBBY_MOD_BACKUPS_H
#define LOBBY_MOD_BACKUPS_H

#include "lobby/house/house_state.h"

/*
 * What the house asks of its keeper, the process it runs in: to be reloaded, and backups. The data
 * are backed up every config.backup_every_h hours, and when somebody asks. The keeper does it
 * (`backup`, answered by `backed_up`); one at a time, and everybody who asked meanwhile is told of
 * the same one. What failed is tried again after a while.
 */

/* Asks for the house to be read anew, by whom; false without a keeper. For it to be closed; so too.
 * For a backup: the request is answered, and its row of the audit log written, once it is made or
 * has failed; false, and nothing is begun, when too many wait already. */
bool backups_reload(struct house *house, const struct conn *by) MUST_CHECK;
bool backups_close(struct house *house) MUST_CHECK;
bool backups_back_up(struct house *house, struct conn *conn, int64_t request,
                     const char *via) MUST_CHECK;

#endif
