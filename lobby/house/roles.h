#pragma once

#include "lobby/protocol/rows.h"
#include "storage/accounts/accounts.h"

/* The role as messages spell it: "player", "mod" or "admin". */
const char *role_name(enum storage_role role);

/* The role as people read it, to be translated. */
const char *role_display_name(enum storage_role role);

/* The account's `kind` in PROTOCOL.md. */
enum person_kind person_kind_of_account(enum storage_kind kind);
