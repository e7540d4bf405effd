#ifndef LOBBY_ACCOUNTS_SECURITY_NEWS_H
#define LOBBY_ACCOUNTS_SECURITY_NEWS_H

#include "lobby/house/house_state.h"

/*
 * What changes in what opens an account (keys, password, codes, role) is told to all its person's
 * connections, and at the next sign-in, once, if none was there to be told. Programs and those who
 * only ask (`ssh house top`) are nobody who reads it.
 */

/* Tells it, but not to the connection that has made the change (NULL: none of them). Who comes by
 * the key `not_by_key` (NULL: no key) has made it too. `words` is a sentence of less than
 * STORAGE_NOTICE_SIZE bytes. */
void security_tell(struct house *house, int64_t account, const struct conn *but,
                   const char *not_by_key, const char *words);

/* Somebody has come in: tells them what has waited. */
void security_tell_waiting(struct house *house, const struct conn *conn);

#endif
