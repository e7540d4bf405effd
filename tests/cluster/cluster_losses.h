#pragma once

#include "tests/kills/crowd.h"

/* Like losses_check, for a crowd whose house is closed: copies its data from PostgreSQL into a file
 * first, with the house's own program, if the crowd has a `url`. */
bool cluster_losses_check(const struct crowd *crowd, bool is_control);
