#pragma once

#include "lobby/house/house_state.h"

/* Sends `mine`, the list of their tables, to people whose list has changed. */
void own_tables_flush(struct house *house);
