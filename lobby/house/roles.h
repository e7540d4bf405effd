#pragma once

#include "lobby/protocol/rows.h"
#include "storage/accounts/accounts.h"

/* Returns the role as messages spell it: "player", "mod" or "admin". */
const char *role_name(enum storage_role role);

/* Returns the role as people read it. The caller translates it. */
const char *role_display_name(enum storage_role role);

/* Returns what messages call an account of this kind: "player" or "bot". */
enum person_kind person_kind_of_account(enum storage_kind kind);
