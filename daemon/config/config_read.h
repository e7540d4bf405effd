#pragma once

#include "daemon/config/config.h"

/* Reads settings from INI text. */

#define CONFIG_FILE_MAX 65536 /* size limit of a configuration file, in bytes */

/* Receives the errors of a file in the order of the lines. Line 0 stands for the whole file. */
struct config_faults {
    void (*hear)(void *context, int line, const char *why);
    void *context;
};

/* Takes all valid settings from the text, reports the errors, and returns the number of errors.
 * Unknown sections and keys, values out of range and keys set twice are errors. */
unsigned config_read_text(struct config *config, const char *text, size_t len,
                          const struct config_faults *faults) MUST_CHECK;

/* Reads a configuration file, as config_read_text reads a text. An unreadable file counts as one
 * error. */
unsigned config_read_file(struct config *config, const char *path,
                          const struct config_faults *faults) MUST_CHECK;
