#ifndef DAEMON_CONFIG_CONFIG_READ_H
#define DAEMON_CONFIG_CONFIG_READ_H

#include "daemon/config/config.h"

/* Reads settings from a text in INI form. */

#define CONFIG_FILE_MAX 65536 /* bytes */

/* Hears of each fault in a file, in the order of lines; line 0 is the whole file. */
struct config_faults {
    void (*hear)(void *context, int line, const char *why);
    void *context;
};

/* Takes over all that is good in the text, tells all that is not, and returns how many faults were
 * told. An unknown section or key, a value out of range and a key set twice are faults. */
unsigned config_read(struct config *config, const char *text, size_t len,
                     const struct config_faults *faults) MUST_CHECK;

/* The same for a file; one that cannot be read is a fault. */
unsigned config_read_file(struct config *config, const char *path,
                          const struct config_faults *faults) MUST_CHECK;

#endif
