#pragma once

#include "lobby/house/house_state.h"

/* The lobby lists a bot among the people while it sits at a table. */

/* Makes the lobby row of a bot, given by its index in bot_names.h; NULL when it sits nowhere. The
 * caller owns the reference. */
json_t *lobby_bot_row(struct house *house, size_t index);
