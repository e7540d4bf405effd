#ifndef DAEMON_CONFIG_CONFIG_SETTING_H
#define DAEMON_CONFIG_CONFIG_SETTING_H

#include <stddef.h>
#include <stdint.h>

/* What config.def says of each setting, for those who read, check, or show settings. */

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

/* All settings, in the order of config.def; NULL past the last one. */
const struct config_setting *config_setting_at(size_t index);

/* Walks through them section by section, from 0 on: the index of the setting that is shown after
 * this one. CONFIG_COUNT after the last. */
size_t config_setting_after(size_t index);

/* The index of the section's first setting; CONFIG_COUNT when there is no such section. */
size_t config_setting_section(const char *section);

/* The index of the setting of that name; CONFIG_COUNT when there is none. */
size_t config_setting_find(const char *section, const char *key);

#endif
