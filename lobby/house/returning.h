#ifndef LOBBY_HOUSE_RETURNING_H
#define LOBBY_HOUSE_RETURNING_H

#include "lobby/house/house_state.h"

/* Sessions that outlived a core: the storage knows where they stood. */

/* Puts a connection the storage knows back to its phase, its person and its table. It hears nothing
 * before its `hello`. A new one stays as it is. */
void returning_connect(struct house *house, struct conn *conn);

/* Forgets the stored connections that are none any more. */
void returning_end_gone(struct house *house);

#endif
