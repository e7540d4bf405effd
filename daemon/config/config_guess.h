#pragma once

#include "daemon/config/config.h"

/* Explain an unknown name in one line: suggest the setting that was probably meant. */

void config_guess_section(const char *section, char why[CONFIG_WHY_SIZE]);

/* Explains an unknown key. The section may be unknown too; it is "" before the first section of a
 * file. */
void config_guess_key(const char *section, const char *key, char why[CONFIG_WHY_SIZE]);
