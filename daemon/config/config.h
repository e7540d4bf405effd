#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The settings of a house, as config.def lists them. Every setting has a default, so that an empty
 * file is a complete configuration. config_read.h reads a configuration from a file.
 */

#define CONFIG_TEXT_SIZE 4096   /* room for any value that a line of the file can have */
#define CONFIG_NETWORKS_MAX 16  /* most networks in a setting */
#define CONFIG_WHY_SIZE 400     /* room for a message that names all sections */
#define CONFIG_ALLOWED_SIZE 112 /* room for the words that describe the allowed values */

/* One byte for each setting, so that the size of the struct is the number of settings. */
struct config_each {
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) char section##_##key;
#define CONFIG_SWITCH(section, key, value, help) char section##_##key;
#define CONFIG_TEXT(section, key, value, form, help) char section##_##key;
#include "daemon/config/config.def"
};

#define CONFIG_COUNT sizeof(struct config_each)

/* Where a value comes from: the number of a line in the file, or one of these constants. */
#define CONFIG_FROM_DEFAULT 0
#define CONFIG_FROM_COMMAND (-1)

struct config {
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) uint32_t section##_##key;
#define CONFIG_SWITCH(section, key, value, help) bool section##_##key;
#define CONFIG_TEXT(section, key, value, form, help) char section##_##key[CONFIG_TEXT_SIZE];
#include "daemon/config/config.def"
    int from[CONFIG_COUNT]; /* where each value comes from, in the order of config.def */
};

/* Returns a configuration in which every setting has its default. */
struct config config_make_default(void);

/* Sets one value from its text; `origin` is a line number or CONFIG_FROM_COMMAND. Returns false,
 * and changes nothing, if there is no such setting or the value is not allowed. `why` then explains
 * the error in one line: the allowed values, or the name that was probably meant. */
bool config_set(struct config *config, const char *section, const char *key, const char *value,
                int origin, char why[CONFIG_WHY_SIZE]) MUST_CHECK;

/* Writes the value of the setting at `index`, in the form that a configuration file uses. */
void config_write_value(const struct config *config, size_t index, char text[CONFIG_TEXT_SIZE]);

/* Describes the allowed values of the setting at `index` by words that can end a sentence: "a whole
 * number from 0 to 100 %". */
void config_describe_allowed_values(size_t index, char text[CONFIG_ALLOWED_SIZE]);
