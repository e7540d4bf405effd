#pragma once

#include "lobby/house/house.h"

struct core;

/* Ends the process if the house could not write. Nothing of this turn has been sent, so the next
 * core can begin from what is on disk. */
void core_check(const struct core *core, enum house_result result);
