#pragma once

#include "lobby/tables/tables_state.h"

/* True when the password opens this locked table; NULL does not. */
bool table_setup_password_opens(const struct table *table, const char *password);
