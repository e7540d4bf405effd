#pragma once

#include "lobby/house/house_state.h"

/* The lobby lists a bot among the people while the bot sits at a table. */

/* Makes the lobby row of the bot with this index in persons/persons.h; NULL when the bot sits at no
 * table. The caller owns the reference. */
json_t *lobby_bot_row(struct house *house, size_t index);
