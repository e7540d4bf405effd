#pragma once

#include "lobby/tables/tables_state.h"

/* True when `password` opens this locked table; NULL opens none. */
bool table_setup_password_opens(const struct table *table, const char *password);
