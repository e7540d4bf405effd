#pragma once

#include "tests/cluster/patroni_load.h"

/* Starts a load of three nodes that run one house with this program, and of people who play at six
 * tables in it. The texts are borrowed. Call this once. A failure ends the process with a line on
 * standard error. */
struct patroni_load patroni_house_start(const char *program, const char *url);
