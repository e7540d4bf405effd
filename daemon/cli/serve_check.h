#pragma once

#include "games/macros.h"

#include <stdbool.h>

struct supervisor_setup;

/*
 * Tries what an open house needs at a reload: reads its keys and the file of certificates, opens
 * its log for writing, and tries to reach its data. If no house is open with the data folder, tries
 * nothing: a house that opens makes what is missing, and says itself what it cannot use. Returns
 * false with a line on the log for each thing that cannot be used.
 */
bool serve_check_open_house(const struct supervisor_setup *setup) MUST_CHECK;
