#pragma once

#include "lobby/house/house.h"

struct core;

/* Aborts the process if the house could not write its data. Nothing of this turn has been sent, so
 * the next core can continue from the data on disk. */
void core_check_written(const struct core *core, enum house_result result);
