#pragma once

#include "lobby/house/house_state.h"

/* Bots are listed among the people while they sit at a table. */

/* The lobby row of a bot (an index of bot_names.h), as a new reference; NULL while it sits
 * nowhere. */
json_t *lobby_bot_row(struct house *house, size_t index);
