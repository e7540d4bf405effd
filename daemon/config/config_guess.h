#pragma once

#include "daemon/config/config.h"

/* Explain in one line that a section or key is unknown: suggest the one that was probably meant. */

void config_guess_section(const char *section, char why[CONFIG_WHY_SIZE]);

/* Explains that a key is unknown. The section may be unknown too; it is "" for a key before the
 * first section of a file. */
void config_guess_key(const char *section, const char *key, char why[CONFIG_WHY_SIZE]);
