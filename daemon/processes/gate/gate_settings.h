#ifndef DAEMON_PROCESSES_GATE_GATE_SETTINGS_H
#define DAEMON_PROCESSES_GATE_GATE_SETTINGS_H

#include "daemon/config/config.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * What a gate is to be after a reload, in a file in memory that the supervisor writes and the gate
 * reads: the program to run, and every setting by its name, so that programs of different versions
 * understand each other.
 */

/* An empty one; -1 with errno. */
int gate_settings_make(void) MUST_CHECK;

/* Replaces what it holds. False with errno. */
bool gate_settings_write(int settings, const char *program, const struct config *config) MUST_CHECK;

/* Every setting as [section, key, value], and their way back: over the defaults that *config holds.
 * What this program does not know, or does not allow, is passed over with a line on the log. */
json_t *gate_settings_of(const struct config *config);
void gate_settings_take(const json_t *values, struct config *config);

/* The settings over the defaults; what this program does not know is passed over. *program is the
 * caller's to free. False, with a line on the log and neither set, when it holds none. */
bool gate_settings_read(int settings, char **program, struct config *config) MUST_CHECK;

#endif
