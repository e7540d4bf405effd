#include "daemon/config/config_read.h"

#include "daemon/base/i18n.h"
#include "daemon/config/config_guess.h"
#include "daemon/config/config_setting.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION_SIZE 50 /* inih truncates longer names */

/*
 * The library inih parses lines, but reports neither line numbers nor what is wrong. The code below
 * therefore gives inih one line at a time, and reports every line that should set something but
 * does not.
 */
struct reading {
    struct config *config;
    const struct config_faults *faults;
    unsigned fault_count;
    const char *at, *end;
    int line;           /* number of the line that inih is parsing */
    bool wants_setting; /* the current line should set a value */
    bool has_section; /* the current section exists; settings of an unknown section are not reported
                         one by one */
};

static void report_error(struct reading *reading, const char *why)
{
    reading->fault_count++;
    reading->faults->hear(reading->faults->context, reading->line, why);
}

static void report_line_without_setting(struct reading *reading)
{
    if (reading->wants_setting) {
        report_error(reading, _("this is not a setting: write key = value"));
    }
    reading->wants_setting = false;
}

static void read_section_line(struct reading *reading, const char *line)
{
    char name[SECTION_SIZE] = "";
    char why[CONFIG_WHY_SIZE];
    size_t len = strcspn(line + 1, "]");
    reading->has_section = false;
    if (line[1 + len] != ']') {
        report_error(reading, _("a section name must end with ]"));
        return;
    }
    memcpy(name, line + 1, len < sizeof name ? len : sizeof name - 1);
    reading->has_section = config_setting_first_of_section(name) < CONFIG_COUNT;
    if (!reading->has_section) {
        config_guess_section(name, why);
        report_error(reading, why);
    }
}

/* Finds out whether the line should set a value. Returns false if the line must not be passed to
 * inih. */
static bool may_pass_line_to_inih(struct reading *reading, const char *line)
{
    switch (line[0]) {
    case '\0':
    case '#':
    case ';':
        return true;
    case '[':
        read_section_line(reading, line);
        return reading->has_section;
    default:
        reading->wants_setting = reading->has_section;
        return reading->has_section;
    }
}

/* Finds the next line and moves the reading position after it. Returns the line's length without
 * the newline. */
static size_t find_next_line(struct reading *reading, const char **line)
{
    size_t left = (size_t)(reading->end - reading->at);
    const char *newline = memchr(reading->at, '\n', left);
    size_t len = newline != NULL ? (size_t)(newline - reading->at) : left;
    *line = reading->at;
    reading->at += newline != NULL ? len + 1 : len;
    reading->line++;
    /* Skip the indent: inih would read an indented line as a continuation of the line before. */
    while (len > 0 && strchr(" \t\r", **line) != NULL && **line != '\0') {
        (*line)++;
        len--;
    }
    return len;
}

/* Gives inih the next line; has the interface of fgets. */
static char *give_next_line_to_inih(char *buffer, int size, void *stream)
{
    struct reading *reading = stream;
    const char *line;
    report_line_without_setting(reading);
    if (reading->at == reading->end) {
        return NULL;
    }
    size_t len = find_next_line(reading, &line);
    if (len + 2 > (size_t)size || memchr(line, '\0', len) != NULL) {
        report_error(reading, len + 2 > (size_t)size
                                  ? _("this line is too long: at most 190 bytes are allowed")
                                  : _("this line contains a zero byte"));
        len = 0;
    }
    memcpy(buffer, line, len);
    buffer[len] = '\0';
    if (!may_pass_line_to_inih(reading, buffer)) {
        len = 0;
    }
    buffer[len] = '\n';
    buffer[len + 1] = '\0';
    return buffer;
}

/* Returns the number of the line that has already set this setting; 0 if there is none. */
static int find_line_that_set(const struct config *config, const char *section, const char *key)
{
    size_t index = config_setting_find(section, key);
    return index < CONFIG_COUNT ? config->from[index] : 0;
}

/* Stores the value of a setting, or reports an error. inih calls this for each setting, and uses
 * the result only to count errors. */
static int store_setting(void *user, const char *section, const char *key, const char *value)
{
    struct reading *reading = user;
    char why[CONFIG_WHY_SIZE];
    int before = find_line_that_set(reading->config, section, key);
    reading->wants_setting = false;
    if (before > 0) {
        snprintf(why, sizeof why, _("%s is already set in line %d: keep one of the two"), key,
                 before);
        report_error(reading, why);
    } else if (!config_set(reading->config, section, key, value, reading->line, why)) {
        report_error(reading, why);
    }
    return 1;
}

static void report_contradictory_settings(struct reading *reading)
{
    const struct config *config = reading->config;
    reading->line = 0;
    if (config->door_unauth_full < config->door_unauth_start) {
        report_error(reading, _("unauth_full in [door] cannot be below unauth_start: raise it"));
    }
    if (config->door_penalty_max_s < config->door_penalty_from_s) {
        report_error(reading,
                     _("penalty_max_s in [door] cannot be below penalty_from_s: raise it"));
    }
    if (config->door_login_s < config->door_key_exchange_s) {
        report_error(reading, _("login_s in [door] cannot be below key_exchange_s: raise it"));
    }
    if (config->data_log_most_mib < config->data_log_idle_mib) {
        report_error(reading, _("log_most_mib in [data] cannot be below log_idle_mib: raise it"));
    }
    if (config->cluster_node != 0 && config->storage_url[0] == '\0') {
        report_error(reading, _("node in [cluster] needs url in [storage]: all nodes of a house "
                                "keep its data in one PostgreSQL database"));
    }
    if (config->cluster_node != 0 && config->cluster_address[0] == '\0') {
        report_error(reading, _("node in [cluster] needs address in [cluster], where the other "
                                "nodes reach this one"));
    }
    if (config->cluster_node == 0 && config->cluster_address[0] != '\0') {
        report_error(reading, _("address in [cluster] needs node in [cluster], the number of this "
                                "node"));
    }
}

unsigned config_read_text(struct config *config, const char *text, size_t len,
                          const struct config_faults *faults)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* UTF-8 byte order mark, which some editors write */
    struct reading reading = {
        .config = config,
        .faults = faults,
        .at = text,
        .end = text + len,
        .has_section = true, /* the file begins outside any section; report each setting there */
    };
    if (len > CONFIG_FILE_MAX) {
        report_error(&reading, _("the file is too large: at most 65536 bytes are allowed"));
        return reading.fault_count;
    }
    if (len >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0) {
        reading.at += sizeof mark - 1;
    }
    if (ini_parse_stream(give_next_line_to_inih, &reading, store_setting, &reading) < 0) {
        report_error(&reading, _("out of memory"));
    }
    report_line_without_setting(&reading);
    report_contradictory_settings(&reading);
    return reading.fault_count;
}

unsigned config_read_file(struct config *config, const char *path,
                          const struct config_faults *faults)
{
    FILE *file = fopen(path, "re");
    char *text = malloc(CONFIG_FILE_MAX + 1);
    unsigned fault_count = 1;
    size_t len = 0;
    errno = file == NULL ? errno : 0;
    if (file != NULL && text != NULL) {
        len = fread(text, 1, CONFIG_FILE_MAX + 1, file);
    }
    if (file == NULL || text == NULL || ferror(file) != 0) {
        faults->hear(faults->context, 0, strerror(errno != 0 ? errno : EIO));
    } else {
        fault_count = config_read_text(config, text, len, faults);
    }
    free(text);
    if (file != NULL) {
        fclose(file);
    }
    return fault_count;
}
