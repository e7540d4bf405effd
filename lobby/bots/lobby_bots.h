#pragma once

#include "lobby/house/house_state.h"
#include "lobby/protocol/protocol.h"

/* The lobby lists a bot among the people while the bot sits at a table. */

/* Fills the lobby row of the bot with this index in persons/persons.h; false when the bot sits at
 * no table. */
bool lobby_bot_make_row(struct house *house, size_t index, struct person_row *row);
