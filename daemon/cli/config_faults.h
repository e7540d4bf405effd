#pragma once

#include "daemon/config/config.h"

/* Reads a configuration file and prints each error as one line on standard error, "FILE:LINE:
 * error". Returns how many there were. */
unsigned config_faults_print(struct config *config, const char *path) MUST_CHECK;
