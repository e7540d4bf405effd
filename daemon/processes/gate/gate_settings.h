#pragma once

#include "daemon/config/config.h"

#include <jansson.h>

/*
 * The file in which the supervisor tells the gate what a reload needs. It is a file in memory that
 * holds the program to execute and every setting by its name, so that programs of different
 * versions understand each other.
 */

/* Makes an empty file in memory. Returns its descriptor; -1 with errno. */
int gate_settings_make_file(void) MUST_CHECK;

/* Replaces the contents of the file by this program and these settings. Returns false with
 * errno. */
bool gate_settings_write(int settings_fd, const char *program,
                         const struct config *config) MUST_CHECK;

/* Converts all settings to a list of [section, key, value]. */
json_t *gate_settings_to_json(const struct config *config);

/* Reads a list that gate_settings_to_json made, and sets these settings in *config, which must hold
 * the defaults. A setting that this program does not know or allow is skipped with a line on the
 * log. */
void gate_settings_from_json(const json_t *values, struct config *config);

/* Reads the program and the settings from the file, as gate_settings_from_json does. The caller
 * frees *program. If the file holds no settings, returns false with a line on the log and sets
 * neither *program nor *config. */
bool gate_settings_read(int settings_fd, char **program, struct config *config) MUST_CHECK;
