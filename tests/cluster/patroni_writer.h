#pragma once

#include "tests/cluster/patroni_load.h"

/* Starts a load that writes numbers into a table, one synchronous commit after another, and
 * remembers which of them were acknowledged. The URL is borrowed. A failure other than that of the
 * database ends the process with a line on standard error. */
struct patroni_load patroni_writer_start(const char *url);
