#ifndef LOBBY_MOD_HOLD_H
#define LOBBY_MOD_HOLD_H

#include "lobby/mod/order.h"

/* Releases a held account; false, and refused, when somebody above who asks holds it. */
bool hold_end(struct order *order, const struct storage_account *account) MUST_CHECK;

#endif
