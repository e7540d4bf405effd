#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The settings of a house, as config.def lists them. Every setting has a default, so that an empty
 * file is a complete configuration. config_read reads one from a file.
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

/* The properties of each setting, from config.def, for code that reads, checks or shows settings.
 */

enum config_kind {
    CONFIG_KIND_NUMBER, /* the value is a uint32_t */
    CONFIG_KIND_SWITCH, /* the value is a bool */
    CONFIG_KIND_TEXT,   /* the value is a text of at most CONFIG_TEXT_SIZE - 1 bytes */
};

/* The allowed forms of a setting whose value is a text. */
enum config_form {
    CONFIG_FORM_LINE,            /* 1 to 64 bytes of UTF-8 without control characters */
    CONFIG_FORM_LINE_OR_NOTHING, /* at most 64 bytes of UTF-8 without control characters */
    CONFIG_FORM_PATH,            /* a path or a command, or empty */
    CONFIG_FORM_ADDRESS,         /* IPv4 or IPv6 address, or empty */
    CONFIG_FORM_NETWORKS,        /* IP networks, separated by single spaces */
    CONFIG_FORM_REGISTRATION,    /* keep, open, hold or closed */
    CONFIG_FORM_GUESTS,          /* yes, play-only or no */
    CONFIG_FORM_FINGERPRINT,     /* "SHA256:" and 43 characters of base64, or empty */
    CONFIG_FORM_DATABASE,        /* URL of a PostgreSQL database, without a password, or empty */
    CONFIG_FORM_IP_AND_PORT,     /* IPV4:PORT or [IPV6]:PORT, or empty */
};

struct config_setting {
    const char *section, *key;
    const char *value; /* the default value, in the form that a configuration file uses */
    const char *unit;  /* the unit of a number: "ms", "s", "%"; "" for a count */
    const char *help;  /* explanation of the setting in English, for translation */
    size_t offset;     /* offset of the value in struct config */
    uint32_t min, max; /* smallest and largest value of a number */
    enum config_kind kind;
    enum config_form form; /* the allowed form of a text value */
};

/* Returns a setting by its position in config.def; NULL after the last. */
const struct config_setting *config_setting_at(size_t index);

/* Iterates over all settings section by section, starting at 0: returns the index of the next
 * setting to show; CONFIG_COUNT after the last. */
size_t config_setting_next_to_show(size_t index);

/* Returns the index of the section's first setting; CONFIG_COUNT if there is no such section. */
size_t config_setting_first_of_section(const char *section);
