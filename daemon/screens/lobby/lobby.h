#pragma once

#include "daemon/screens/lobby/lobby_tables.h"

/* Returns the lobby's list of tables, for commands that filter and sort it; NULL before sign-up. */
struct lobby_tables *lobby_find_tables(struct ui *ui);
