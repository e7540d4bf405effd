#include "daemon/config/config.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES_MAX 4096
#define BLANKS " \t\r\v\f"

static const char too_large[] = N_("the file is too large: at most 65536 bytes are allowed");

struct reading {
    struct config *config;
    const struct config_faults *faults;
    unsigned fault_count;
    const char *at, *end;
    int line;            /* number of the current line */
    const char *section; /* the current section; "": none yet; NULL: it is unknown, so its settings
                            are not reported one by one */
};

static void report_error(struct reading *reading, const char *why)
{
    reading->fault_count++;
    reading->faults->hear(reading->faults->context, reading->line, why);
}

static void read_section_line(struct reading *reading, char *line)
{
    char why[CONFIG_WHY_SIZE];
    char *end = strchr(line, ']');
    reading->section = NULL;
    if (end == NULL) {
        report_error(reading, _("a section name must end with ]"));
        return;
    }
    *end = '\0';
    const struct config_setting *first =
        config_setting_at(config_setting_first_of_section(line + 1));
    if (first != NULL) {
        reading->section = first->section;
    } else {
        config_guess_section(line + 1, why);
        report_error(reading, why);
    }
}

/* Returns the text without the blanks around it. */
static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    size_t len = strlen(text);
    while (len > 0 && strchr(BLANKS, text[len - 1]) != NULL) {
        len--;
    }
    text[len] = '\0';
    return text;
}

/* Cuts off a comment behind a setting: it begins with a semicolon after a blank. */
static void cut_comment(char *line)
{
    char *mark = strchr(line, ';');
    while (mark != NULL && strchr(BLANKS, mark[-1]) == NULL) {
        mark = strchr(mark + 1, ';');
    }
    if (mark != NULL) {
        *mark = '\0';
    }
}

/* Reads a line such as "key = value" or "key: value"; the line does not begin with a semicolon. */
static void read_setting_line(struct reading *reading, char *line)
{
    char why[CONFIG_WHY_SIZE];
    cut_comment(line);
    size_t key_len = strcspn(line, "=:");
    if (line[key_len] == '\0') {
        report_error(reading, _("this is not a setting: write key = value"));
        return;
    }
    line[key_len] = '\0';
    const char *key = trim(line);
    const char *value = trim(line + key_len + 1);
    size_t index = config_setting_find(reading->section, key);
    int before = index < CONFIG_COUNT ? reading->config->from[index] : 0;
    if (before > 0) {
        snprintf(why, sizeof why, _("%s is already set in line %d: keep one of the two"), key,
                 before);
        report_error(reading, why);
    } else if (!config_set(reading->config, reading->section, key, value, reading->line, why)) {
        report_error(reading, why);
    }
}

/* Reads the next line, and moves the reading position after it. */
static void read_next_line(struct reading *reading)
{
    char buffer[LINE_BYTES_MAX + 1];
    const char *start = reading->at;
    const char *newline = memchr(start, '\n', (size_t)(reading->end - start));
    size_t len = (size_t)((newline != NULL ? newline : reading->end) - start);
    reading->at = newline != NULL ? newline + 1 : reading->end;
    reading->line++;
    if (len > LINE_BYTES_MAX || memchr(start, '\0', len) != NULL) {
        report_error(reading, len > LINE_BYTES_MAX
                                  ? _("this line is too long: at most 4096 bytes are allowed")
                                  : _("this line contains a zero byte"));
        return;
    }
    memcpy(buffer, start, len);
    buffer[len] = '\0';
    char *line = trim(buffer);
    if (line[0] == '[') {
        read_section_line(reading, line);
    } else if (strchr("#;", line[0]) == NULL && reading->section != NULL) {
        read_setting_line(reading, line);
    }
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
        .section = "", /* the file begins outside any section; report each setting there */
    };
    if (len > CONFIG_FILE_MAX) {
        report_error(&reading, _(too_large));
        return reading.fault_count;
    }
    if (len >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0) {
        reading.at += sizeof mark - 1;
    }
    while (reading.at < reading.end) {
        read_next_line(&reading);
    }
    report_contradictory_settings(&reading);
    return reading.fault_count;
}

unsigned config_read_file(struct config *config, const char *path,
                          const struct config_faults *faults)
{
    size_t len;
    char *text = files_read(path, CONFIG_FILE_MAX, &len);
    if (text == NULL) {
        faults->hear(faults->context, 0, errno == EFBIG ? _(too_large) : files_explain_errno());
        return 1;
    }
    unsigned fault_count = config_read_text(config, text, len, faults);
    free(text);
    return fault_count;
}
