#pragma once

#include "lobby/house/house_state.h"

/* Sessions whose connection has survived the end of a core. The storage knows who was signed in on
 * each of them. */

/* Restores the phase, person and table of a stored connection. Nothing is sent to the connection
 * before its `hello`. A connection that is not stored stays as it is. */
void returning_restore_conn(struct house *house, struct conn *conn);

/* Forgets the stored connections that have not returned. */
void returning_forget_gone_conns(struct house *house);
