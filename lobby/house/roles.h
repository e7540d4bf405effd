#ifndef LOBBY_HOUSE_ROLES_H
#define LOBBY_HOUSE_ROLES_H

#include "storage/accounts/accounts.h"

/* "player", "mod" or "admin". */
const char *role_name(enum storage_role role);

#endif
