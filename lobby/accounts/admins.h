#pragma once

#include "lobby/house/house_state.h"

/* The first admin is named by a key in the configuration (house_config.house_first_admin), so that
 * no house starts with a well-known password. */

/* True when the key is the one that the configuration names for the first admin. */
bool admins_is_first_admin_key(const struct house *house, const char *fingerprint);

/* Gives the admin role to the account that has the configured key, if such an account exists. */
void admins_promote_first_admin(struct house *house);
