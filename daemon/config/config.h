#ifndef DAEMON_CONFIG_CONFIG_H
#define DAEMON_CONFIG_CONFIG_H

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The settings of a house: config.def lists them all, this file reads them from one text in INI
 * form. Every setting has a default, so that an empty file is a whole configuration.
 */

#define CONFIG_TEXT_SIZE 65
#define CONFIG_WHY_SIZE 400   /* all sections' names have room, cut ones would mislead */
#define CONFIG_FILE_MAX 65536 /* bytes */

enum config_kind {
    CONFIG_KIND_NUMBER, /* uint32_t */
    CONFIG_KIND_SWITCH, /* bool */
    CONFIG_KIND_TEXT,   /* char[CONFIG_TEXT_SIZE] */
};

/* What a text has to look like. */
enum config_form {
    CONFIG_FORM_LINE,            /* 1 to 64 bytes of UTF-8 without control characters */
    CONFIG_FORM_LINE_OR_NOTHING, /* or none at all */
    CONFIG_FORM_ADDRESS,         /* IPv4 or IPv6, or nothing */
    CONFIG_FORM_REGISTRATION,    /* keep, open, hold or closed */
    CONFIG_FORM_GUESTS,          /* yes, play-only or no */
    CONFIG_FORM_FINGERPRINT,     /* "SHA256:" and 43 characters of base64, or nothing */
};

struct config_setting {
    const char *section, *key;
    const char *value; /* the default as it stands in a file */
    const char *unit;  /* of a number: "ms", "s", "%", "" for a count */
    const char *help;  /* one sentence, not yet translated */
    size_t offset;     /* of the value in struct config */
    uint32_t min, max; /* of a number */
    enum config_kind kind;
    enum config_form form; /* of a text */
};

/* How many settings there are: one byte each. */
struct config_each {
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) char section##_##key;
#define CONFIG_SWITCH(section, key, value, help) char section##_##key;
#define CONFIG_TEXT(section, key, value, form, help) char section##_##key;
#include "daemon/config/config.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
};

#define CONFIG_COUNT sizeof(struct config_each)

/* Where a value is from: a line of the file, or one of these. */
#define CONFIG_FROM_DEFAULT 0
#define CONFIG_FROM_COMMAND (-1)

struct config {
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) uint32_t section##_##key;
#define CONFIG_SWITCH(section, key, value, help) bool section##_##key;
#define CONFIG_TEXT(section, key, value, form, help) char section##_##key[CONFIG_TEXT_SIZE];
#include "daemon/config/config.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
    int from[CONFIG_COUNT]; /* by the setting's place in the list */
};

/* All settings, in the order of config.def; NULL past the last one. */
const struct config_setting *config_setting_at(size_t index);

/* Every setting at its default. */
struct config config_default(void);

/* Sets one value from its text; `from` is a line or CONFIG_FROM_COMMAND. False, with one line in
 * `why` (what is wrong and what is allowed, or the name that was probably meant) and nothing
 * changed, when there is no such setting or the value is not allowed. */
bool config_set(struct config *config, const char *section, const char *key, const char *value,
                int from, char why[CONFIG_WHY_SIZE]) MUST_CHECK;

/* The value of the index-th setting as it stands in a file. */
void config_value(const struct config *config, size_t index, char text[CONFIG_TEXT_SIZE]);

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
