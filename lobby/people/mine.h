#pragma once

#include "lobby/house/house_state.h"

/* Pushes `mine` to people whose own list of tables has changed. */
void mine_flush(struct house *house);
