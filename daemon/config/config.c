#include "daemon/config/config.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static const struct config_setting settings[] = {
#define SETTING(section_, key_, value_, help_)                                                     \
    .section = #section_, .key = #key_, .value = (value_), .help = (help_),                        \
    .offset = offsetof(struct config, section_##_##key_)
#define CONFIG_NUMBER(section_, key_, value_, min_, max_, unit_, help_)                            \
    {SETTING(section_, key_, #value_, help_), .kind = CONFIG_KIND_NUMBER, .min = (min_),           \
     .max = (max_), .unit = (unit_)},
#define CONFIG_SWITCH(section_, key_, value_, help_)                                               \
    {SETTING(section_, key_, #value_, help_), .kind = CONFIG_KIND_SWITCH, .unit = ""},
#define CONFIG_TEXT(section_, key_, value_, form_, help_)                                          \
    {SETTING(section_, key_, value_, help_), .kind = CONFIG_KIND_TEXT, .form = (form_), .unit = ""},
#include "daemon/config/config.def"
#undef SETTING
};

_Static_assert(ARRAY_LEN(settings) == CONFIG_COUNT, "one row a setting");

const struct config_setting *config_setting_at(size_t index)
{
    return index < ARRAY_LEN(settings) ? &settings[index] : NULL;
}

size_t config_setting_first_of_section(const char *section)
{
    size_t i = 0;
    while (i < CONFIG_COUNT && strcmp(settings[i].section, section) != 0) {
        i++;
    }
    return i;
}

/* Returns the index of the setting with this name; CONFIG_COUNT if there is none. */
static size_t config_setting_find(const char *section, const char *key)
{
    size_t i = 0;
    while (i < CONFIG_COUNT &&
           (strcmp(settings[i].section, section) != 0 || strcmp(settings[i].key, key) != 0)) {
        i++;
    }
    return i;
}

size_t config_setting_next_to_show(size_t index)
{
    const char *section = settings[index].section;
    for (size_t i = index + 1; i < CONFIG_COUNT; i++) {
        if (strcmp(settings[i].section, section) == 0) {
            return i;
        }
    }
    size_t next = config_setting_first_of_section(section) + 1;
    while (next < CONFIG_COUNT && config_setting_first_of_section(settings[next].section) != next) {
        next++;
    }
    return next;
}

#define SECTIONS_SIZE 300 /* room for a list of all sections; a test checks this */

/* True if this number of changed letters suggests a typing error in a word of this length. */
static bool is_typing_error(const char *wrong_word, size_t changed_letter_count)
{
    return changed_letter_count <= 1 + strnlen(wrong_word, EDIT_WORD_MAX) / 3;
}

static void list_sections(char *text, size_t size)
{
    size_t len = 0;
    for (size_t i = 0; i < CONFIG_COUNT && len < size; i++) {
        if (config_setting_first_of_section(settings[i].section) == i) {
            len += (size_t)snprintf(text + len, size - len, "%s[%s]", len == 0 ? "" : ", ",
                                    settings[i].section);
        }
    }
}

/* Explains that a section is unknown: suggests the one that was probably meant. */
static void guess_section(const char *section, char why[CONFIG_WHY_SIZE])
{
    const char *best = NULL;
    size_t fewest_changes = SIZE_MAX;
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        size_t changes = edit_distance(section, settings[i].section);
        if (changes < fewest_changes) {
            fewest_changes = changes;
            best = settings[i].section;
        }
    }
    if (is_typing_error(section, fewest_changes)) {
        snprintf(why, CONFIG_WHY_SIZE, _("there is no section [%.*s]; did you mean [%s]?"),
                 EDIT_WORD_MAX, section, best);
        return;
    }
    char sections[SECTIONS_SIZE] = "";
    list_sections(sections, sizeof sections);
    snprintf(why, CONFIG_WHY_SIZE, _("there is no section [%.*s]; the sections are %s"),
             EDIT_WORD_MAX, section, sections);
}

/* Explains that a key is unknown. The section may be unknown too; it is "" for a key before the
 * first section of a file. */
static void guess_key(const char *section, const char *key, char why[CONFIG_WHY_SIZE])
{
    const struct config_setting *best = settings;
    size_t best_score = SIZE_MAX;
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        const struct config_setting *setting = &settings[i];
        /* At equal distance, prefer a setting of the section that was named. */
        size_t score =
            2 * edit_distance(key, setting->key) + (strcmp(section, setting->section) != 0);
        if (score < best_score) {
            best_score = score;
            best = setting;
        }
    }
    if (is_typing_error(key, best_score / 2)) {
        snprintf(why, CONFIG_WHY_SIZE, _("there is no %.*s in [%.*s]; did you mean %s in [%s]?"),
                 EDIT_WORD_MAX, key, EDIT_WORD_MAX, section, best->key, best->section);
    } else {
        snprintf(why, CONFIG_WHY_SIZE,
                 _("there is no %.*s in [%.*s]; `trickhouse check-config` lists all settings"),
                 EDIT_WORD_MAX, key, EDIT_WORD_MAX, section);
    }
}

#define LINE_MAX_BYTES 64 /* most bytes of a text, unless its form allows more */
#define DATABASE_PREFIX "postgresql://"
#define SHOWN_MAX 40 /* an error message shows at most this many bytes of a wrong value */
#define FINGERPRINT_PREFIX "SHA256:"
#define FINGERPRINT_BYTES 50

static bool read_number(const struct config_setting *setting, const char *text, uint32_t *number)
{
    size_t digits = strspn(text, "0123456789");
    unsigned long long value = strtoull(text, NULL, 10); /* ULLONG_MAX on overflow */
    if (digits == 0 || text[digits] != '\0' || value < setting->min || value > setting->max) {
        return false;
    }
    *number = (uint32_t)value;
    return true;
}

static bool read_switch(const char *text, bool *is_on)
{
    bool is_yes = strcmp(text, "yes") == 0;
    if (!is_yes && strcmp(text, "no") != 0) {
        return false;
    }
    *is_on = is_yes;
    return true;
}

static bool is_printable_line(const char *text)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    utf8proc_int32_t character = 0;
    while (*at >= ' ' && *at != 0x7F && utf8proc_iterate(at, -1, &character) > 0) {
        at += utf8proc_iterate(at, -1, &character);
    }
    return text[0] != '\0' && *at == '\0';
}

static bool is_printable_line_or_empty(const char *text)
{
    return text[0] == '\0' || is_printable_line(text);
}

static bool is_ip_address_or_empty(const char *text)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return text[0] == '\0' || inet_pton(AF_INET, text, bytes) == 1 ||
           inet_pton(AF_INET6, text, bytes) == 1;
}

static bool is_list_of_networks(const char *text)
{
    struct ip_net nets[CONFIG_NETWORKS_MAX];
    return ip_net_parse_list(text, nets, ARRAY_LEN(nets)) > 0;
}

static bool is_fingerprint_or_empty(const char *text)
{
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t prefix = sizeof FINGERPRINT_PREFIX - 1;
    return text[0] == '\0' ||
           (strlen(text) == FINGERPRINT_BYTES && strncmp(text, FINGERPRINT_PREFIX, prefix) == 0 &&
            strspn(text + prefix, base64) == FINGERPRINT_BYTES - prefix);
}

/* True for a URL of a database that contains no password: the settings are shown to people, and
 * every process of the house has them. As in PostgreSQL's library, everything before an @ is
 * USER:PASSWORD, unless a slash comes first. */
static bool is_database_or_empty(const char *text)
{
    size_t prefix = sizeof DATABASE_PREFIX - 1;
    if (text[0] == '\0') {
        return true;
    }
    if (strncmp(text, DATABASE_PREFIX, prefix) != 0 || !is_printable_line(text) ||
        strchr(text, ' ') != NULL || strstr(text, "password=") != NULL) {
        return false;
    }
    size_t user = strcspn(text + prefix, "@/");
    return text[prefix + user] != '@' || memchr(text + prefix, ':', user) == NULL;
}

static bool is_ip_and_port_or_empty(const char *text)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    char host[INET6_ADDRSTRLEN];
    const char *port = strrchr(text, ':');
    if (text[0] == '\0' || port == NULL) {
        return text[0] == '\0';
    }
    bool is_ipv6 = text[0] == '[' && port[-1] == ']';
    size_t len = (size_t)(port - text) - (is_ipv6 ? 2 : 0);
    if (len >= sizeof host) {
        return false;
    }
    memcpy(host, text + (is_ipv6 ? 1 : 0), len);
    host[len] = '\0';
    size_t digits = strspn(port + 1, "0123456789");
    long number = strtol(port + 1, NULL, 10);
    return inet_pton(is_ipv6 ? AF_INET6 : AF_INET, host, bytes) == 1 && digits > 0 &&
           port[1 + digits] == '\0' && number >= 1 && number <= UINT16_MAX;
}

/* For each form of text: how its values are checked, and what error messages call the allowed
 * values. */
static const struct {
    const char *allowed; /* N_() */
    bool (*is_good)(const char *text);
    const char *words[4]; /* further allowed words, besides the texts that is_good accepts */
    size_t most_bytes;    /* 0: as many as CONFIG_TEXT_SIZE allows */
    bool is_hidden;       /* an error message does not show the value: it may contain a password */
} forms[] = {
    [CONFIG_FORM_LINE] = {.allowed = N_("a text of 1 to 64 bytes, UTF-8"),
                          .is_good = is_printable_line,
                          .most_bytes = LINE_MAX_BYTES},
    [CONFIG_FORM_LINE_OR_NOTHING] = {.allowed = N_("a text of at most 64 bytes, UTF-8"),
                                     .is_good = is_printable_line_or_empty,
                                     .most_bytes = LINE_MAX_BYTES},
    [CONFIG_FORM_PATH] = {.allowed = N_("a path, UTF-8, or empty"),
                          .is_good = is_printable_line_or_empty},
    [CONFIG_FORM_ADDRESS] = {.allowed = N_("an IPv4 or IPv6 address, or empty for all addresses"),
                             .is_good = is_ip_address_or_empty},
    [CONFIG_FORM_NETWORKS] = {.allowed = N_("up to 16 networks or IP addresses, separated by "
                                            "single spaces"),
                              .is_good = is_list_of_networks},
    [CONFIG_FORM_REGISTRATION] = {.allowed = N_("keep, open, hold or closed"),
                                  .words = {"keep", "open", "hold", "closed"}},
    [CONFIG_FORM_GUESTS] = {.allowed = N_("yes, play-only or no"),
                            .words = {"yes", "play-only", "no"}},
    [CONFIG_FORM_FINGERPRINT] = {.allowed = N_("a key's fingerprint, \"SHA256:\" and 43 "
                                               "characters, or empty"),
                                 .is_good = is_fingerprint_or_empty},
    [CONFIG_FORM_DATABASE] = {.allowed = N_("postgresql://USER@HOST/DATABASE without a password, "
                                            "or empty"),
                              .is_good = is_database_or_empty,
                              .is_hidden = true},
    [CONFIG_FORM_IP_AND_PORT] = {.allowed = N_("an IP address and a port, such as 192.0.2.1:4022 "
                                               "or [2001:db8::1]:4022, or empty"),
                                 .is_good = is_ip_and_port_or_empty},
};

static bool matches_form(enum config_form form, const char *text)
{
    bool is_good = forms[form].is_good != NULL && forms[form].is_good(text);
    for (size_t i = 0; i < ARRAY_LEN(forms[form].words); i++) {
        const char *word = forms[form].words[i];
        is_good = is_good || (word != NULL && strcmp(word, text) == 0);
    }
    size_t most = forms[form].most_bytes;
    return is_good && strlen(text) <= (most != 0 ? most : CONFIG_TEXT_SIZE - 1);
}

/* Sets a value from its text. Returns false, and changes nothing, if the value is not allowed. */
static bool set_value(struct config *config, const struct config_setting *setting, const char *text)
{
    void *place = (char *)config + setting->offset;
    switch (setting->kind) {
    case CONFIG_KIND_NUMBER:
        return read_number(setting, text, place);
    case CONFIG_KIND_SWITCH:
        return read_switch(text, place);
    case CONFIG_KIND_TEXT:
        if (!matches_form(setting->form, text)) {
            return false;
        }
        memset(place, 0, CONFIG_TEXT_SIZE);
        memcpy(place, text, strlen(text));
        return true;
    }
    return false;
}

struct config config_make_default(void)
{
    struct config config;
    memset(&config, 0, sizeof config);
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        bool is_good = set_value(&config, &settings[i], settings[i].value);
        assert(is_good);
        (void)is_good;
    }
    return config;
}

void config_describe_allowed_values(size_t index, char text[CONFIG_ALLOWED_SIZE])
{
    const struct config_setting *setting = &settings[index];
    const size_t size = CONFIG_ALLOWED_SIZE;
    switch (setting->kind) {
    case CONFIG_KIND_NUMBER:
        snprintf(text, size, _("a whole number from %" PRIu32 " to %" PRIu32 "%s%s"), setting->min,
                 setting->max, setting->unit[0] == '\0' ? "" : " ", setting->unit);
        break;
    case CONFIG_KIND_SWITCH:
        snprintf(text, size, "%s", _("yes or no"));
        break;
    case CONFIG_KIND_TEXT:
        snprintf(text, size, "%s", _(forms[setting->form].allowed));
        break;
    }
}

static bool refuse_value(size_t index, const char *value, char why[CONFIG_WHY_SIZE])
{
    char allowed[CONFIG_ALLOWED_SIZE];
    const struct config_setting *setting = &settings[index];
    config_describe_allowed_values(index, allowed);
    if (setting->kind == CONFIG_KIND_TEXT && forms[setting->form].is_hidden) {
        snprintf(why, CONFIG_WHY_SIZE, _("%s cannot be that: it must be %s"), setting->key,
                 allowed);
        return false;
    }
    snprintf(why, CONFIG_WHY_SIZE, _("%s cannot be \"%.*s\": it must be %s"), setting->key,
             SHOWN_MAX, value, allowed);
    return false;
}

bool config_set(struct config *config, const char *section, const char *key, const char *value,
                int origin, char why[CONFIG_WHY_SIZE])
{
    size_t index = config_setting_find(section, key);
    const struct config_setting *setting = config_setting_at(index);
    if (setting == NULL) {
        guess_key(section, key, why);
        return false;
    }
    if (!set_value(config, setting, value)) {
        return refuse_value(index, value, why);
    }
    config->from[index] = origin;
    return true;
}

void config_write_value(const struct config *config, size_t index, char text[CONFIG_TEXT_SIZE])
{
    const struct config_setting *setting = &settings[index];
    const void *place = (const char *)config + setting->offset;
    switch (setting->kind) {
    case CONFIG_KIND_NUMBER:
        snprintf(text, CONFIG_TEXT_SIZE, "%" PRIu32, *(const uint32_t *)place);
        break;
    case CONFIG_KIND_SWITCH:
        snprintf(text, CONFIG_TEXT_SIZE, "%s", *(const bool *)place ? "yes" : "no");
        break;
    case CONFIG_KIND_TEXT:
        memcpy(text, place, CONFIG_TEXT_SIZE);
        break;
    }
}

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
        guess_section(line + 1, why);
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
