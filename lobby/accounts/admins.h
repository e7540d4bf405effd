#pragma once

#include "lobby/house/house_state.h"

/* The first admin is named by a key in the configuration (house_config.house_first_admin), so that
 * no house starts with a well-known password. */

/* True when the account that this key opens is to be an admin. */
bool admins_is_key(const struct house *house, const char *fingerprint);

/* Makes the account that the configured key already opens an admin. */
void admins_make(struct house *house);
