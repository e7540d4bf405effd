#ifndef LOBBY_HOUSE_KEEPING_H
#define LOBBY_HOUSE_KEEPING_H

#include "lobby/house/house_state.h"

/*
 * What the house asks of its keeper, the process it runs in: to be reloaded, and backups. The data
 * are backed up every config.backup_every_h hours, and when somebody asks. The keeper does it
 * (`backup`, answered by `backed_up`); one at a time, and everybody who asked meanwhile is told of
 * the same one. What failed is tried again after a while.
 */

/* Reads when the last one was made. */
void keeping_begin(struct house *house);

/* The keeper is there (again): one it had begun is begun anew. */
void keeping_keeper_ready(struct house *house, const struct conn *keeper);

/* Asks for the house to be read anew, by whom; false without a keeper. For it to be closed; so too.
 * For a backup: the request is answered, and its row of the audit log written, once it is made or
 * has failed; false, and nothing is begun, when too many wait already. */
bool keeping_reload(struct house *house, const struct conn *by) MUST_CHECK;
bool keeping_close(struct house *house) MUST_CHECK;
bool keeping_back_up(struct house *house, struct conn *conn, int64_t request,
                     const char *via) MUST_CHECK;

void keeping_tick(struct house *house);
int64_t keeping_next_ms(const struct house *house);

#endif
