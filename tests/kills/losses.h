#pragma once

#include "tests/kills/crowd.h"

/* Compares the SQLite file with what the players of the crowd were told, and replays every game.
 * Prints what was found. Returns whether nothing is lost or contradictory, or with `is_control`,
 * for a run that must lose something, whether something is. Also returns false if nobody has moved:
 * then the run has tried nothing. */
bool losses_check(const struct crowd *crowd, const char *path, bool is_control);
