#ifndef LOBBY_ACCOUNTS_ADMINS_H
#define LOBBY_ACCOUNTS_ADMINS_H

#include "lobby/house/house_state.h"

/* The first admin is named by a key in the configuration (house_config.house_first_admin), so that
 * no house begins with a password everybody knows. */

/* True when this key makes its account an admin's. */
bool admins_is_key(const struct house *house, const char *fingerprint);

/* Makes the account that the key opens already an admin's. */
void admins_make(struct house *house);

#endif
