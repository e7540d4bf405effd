#include "daemon/config/config.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <arpa/inet.h>
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

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
    *is_on = strcmp(text, "yes") == 0;
    return *is_on || strcmp(text, "no") == 0;
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
    uint32_t number;
    bool is_on;
    switch (setting->kind) {
    case CONFIG_KIND_NUMBER:
        if (!read_number(setting, text, &number)) {
            return false;
        }
        memcpy(place, &number, sizeof number);
        return true;
    case CONFIG_KIND_SWITCH:
        if (!read_switch(text, &is_on)) {
            return false;
        }
        memcpy(place, &is_on, sizeof is_on);
        return true;
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
    const struct config_setting *setting;
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        bool is_good = set_value(&config, setting, setting->value);
        assert(is_good);
        (void)is_good;
    }
    return config;
}

void config_describe_allowed_values(size_t index, char text[CONFIG_ALLOWED_SIZE])
{
    const struct config_setting *setting = config_setting_at(index);
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
    const struct config_setting *setting = config_setting_at(index);
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
        config_guess_key(section, key, why);
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
    const struct config_setting *setting = config_setting_at(index);
    const void *place = (const char *)config + setting->offset;
    uint32_t number;
    bool is_on;
    switch (setting->kind) {
    case CONFIG_KIND_NUMBER:
        memcpy(&number, place, sizeof number);
        snprintf(text, CONFIG_TEXT_SIZE, "%" PRIu32, number);
        break;
    case CONFIG_KIND_SWITCH:
        memcpy(&is_on, place, sizeof is_on);
        snprintf(text, CONFIG_TEXT_SIZE, "%s", is_on ? "yes" : "no");
        break;
    case CONFIG_KIND_TEXT:
        memcpy(text, place, CONFIG_TEXT_SIZE);
        break;
    }
}
