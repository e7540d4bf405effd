#ifndef DAEMON_CONFIG_CONFIG_GUESS_H
#define DAEMON_CONFIG_CONFIG_GUESS_H

#include "daemon/config/config.h"

/* One line about a name that no setting has: which one was probably meant. */

void config_guess_section(const char *section, char why[CONFIG_WHY_SIZE]);

/* The section may be unknown too, or "" before the first. */
void config_guess_key(const char *section, const char *key, char why[CONFIG_WHY_SIZE]);

#endif
