#pragma once

#include "daemon/config/config.h"

/* Reads a configuration file, prints each error on standard error as "FILE:LINE: error", and
 * returns the number of errors. */
unsigned config_faults_read_and_print(struct config *config, const char *path) MUST_CHECK;
