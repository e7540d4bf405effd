#ifndef LOBBY_SANCTIONS_KNOCKS_H
#define LOBBY_SANCTIONS_KNOCKS_H

#include "lobby/house/house_state.h"

/* Tells staff that somebody banned is at the door, once a connection; `name` is an account's, NULL
 * for a guest or newcomer. However many try, staff read at most KNOCKS_BURST lines and one a minute
 * after that, and one in ten minutes of the same ban; the next line counts what was left out. */
#define KNOCKS_BURST 3
void knock_tell(struct house *house, const struct conn *conn, const struct storage_sanction *ban,
                const char *name);

#endif
