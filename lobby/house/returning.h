#pragma once

#include "lobby/house/house_state.h"

/* Sessions that outlived a core. The storage knows where they stood. */

/* Restores a stored connection's phase, person and table. It is sent nothing before its `hello`. A
 * new connection is left unchanged. */
void returning_restore_conn(struct house *house, struct conn *conn);

/* Forgets the stored connections that have not returned. */
void returning_forget_gone(struct house *house);
