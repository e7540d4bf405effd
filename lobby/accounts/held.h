#ifndef LOBBY_ACCOUNTS_HELD_H
#define LOBBY_ACCOUNTS_HELD_H

#include "lobby/house/house_state.h"

/* Releases an account, held or not; its person, if here, is told. `by` is who does it. */
void held_release(struct house *house, const struct conn *by,
                  const struct storage_account *account);

#endif
