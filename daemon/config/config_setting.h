#pragma once

#include <stddef.h>
#include <stdint.h>

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

/* Returns the index of the setting with this name; CONFIG_COUNT if there is none. */
size_t config_setting_find(const char *section, const char *key);
