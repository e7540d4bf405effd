#pragma once

#include "lobby/house/house_state.h"

/* Pushes `mine` to people whose own list of tables has changed. */
void own_tables_flush(struct house *house);
