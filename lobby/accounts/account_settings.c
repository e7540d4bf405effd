#include "lobby/accounts/accounts.h"
#include "lobby/accounts/entry_state.h"
#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static bool is_theme_setting(const json_t *value)
{
    static const char *const themes[] = {"colour", "contrast", "mono", NULL};
    return text_find_word(themes, json_string_value(value)) >= 0;
}

static bool is_boolean_setting(const json_t *value)
{
    return json_is_boolean(value);
}

static bool is_quiet_hours_setting(const json_t *value)
{
    struct quiet_hours quiet;
    return quiet_hours_from_json(value, &quiet);
}

static bool is_pace_setting(const json_t *value)
{
    enum pace pace;
    return pace_from_word(json_string_value(value), &pace);
}

/* A language tag. Every tag is accepted: the front end decides which languages it has. */
static bool is_language_setting(const json_t *value)
{
    const char *text = json_string_value(value);
    size_t len = text == NULL ? 0 : strlen(text);
    return (len == 2 || len == 3) && strspn(text, "abcdefghijklmnopqrstuvwxyz") == len;
}

/* The name of a time zone. Every name is accepted: the front end decides which zones it has. */
static bool is_timezone_setting(const json_t *value)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
    const char *text = json_string_value(value);
    size_t len = text == NULL ? 0 : strlen(text);
    return len > 0 && len < ROW_NAME_SIZE && strspn(text, letters) == len;
}

/* The settings that a person may change; other keys of the message are ignored. */
static const struct setting_def {
    const char *key;
    bool (*is_good)(const json_t *value);
} settings_known[] = {
    {"theme", is_theme_setting},       {"ascii", is_boolean_setting},
    {"bell", is_boolean_setting},      {"plain", is_boolean_setting},
    {"telnet", is_boolean_setting},    {"quiet", is_quiet_hours_setting},
    {"arrivals", is_boolean_setting},  {"language", is_language_setting},
    {"pace", is_pace_setting},         {"auto_play", is_boolean_setting},
    {"timezone", is_timezone_setting},
};

/* Copies the known settings from `new_settings`; false when the value of one is invalid. */
static bool merge_valid_settings(json_t *settings, const json_t *new_settings)
{
    for (size_t i = 0; i < ARRAY_LEN(settings_known); i++) {
        json_t *value = json_object_get(new_settings, settings_known[i].key);
        if (value == NULL) {
            continue;
        }
        if (!settings_known[i].is_good(value)) {
            return false;
        }
        (void)json_object_set(settings, settings_known[i].key, value);
    }
    return true;
}

static void message_settings_set(const struct request *request)
{
    struct house *house = request->house;
    struct person *person = request->conn->person;
    const json_t *new_settings = json_object_get(request->body, "settings");
    json_t *settings = json_deep_copy(person->settings);
    if (!json_is_object(new_settings) || !merge_valid_settings(settings, new_settings)) {
        json_decref(settings);
        answer_no(request, "bad",
                  _("There is no such setting: choose among those that are offered."));
        return;
    }
    if (person->role != STORAGE_ROLE_PLAYER && json_read_bool(new_settings, "telnet", false)) {
        json_decref(settings);
        answer_no(request, "telnet", _("Staff cannot use telnet: the setting stays off."));
        return;
    }
    json_decref(person->settings);
    person->settings = settings;
    if (person->account != 0) {
        char *text = json_dumps(settings, JSON_COMPACT);
        stored_or_fail(house, text == NULL ? STORAGE_REFUSED
                                           : storage_account_set_settings(house->storage,
                                                                          person->account, text));
        free(text);
        if (json_object_get(new_settings, "quiet") != NULL) {
            table_times_reread_time_off(house, person->account);
        }
    }
    answer_ok(request, NULL);
}

const struct message_handler handler_settings_set = {message_settings_set};

static bool requester_may_have_password(const struct request *request)
{
    if (request->conn->person->account == 0) {
        answer_no(request, "guest",
                  _("A guest has no account to protect: make one to have a password."));
    } else if (conn_is_telnet(request->conn)) {
        answer_no(request, "telnet",
                  _("Telnet would show your password to others: set it over SSH."));
    } else {
        return true;
    }
    return false;
}

const struct need need_password = {.holds = requester_may_have_password};

static void message_password_set(const struct request *request)
{
    struct conn *conn = request->conn;
    const struct person *person = conn->person;
    const char *typed = json_string_value(json_object_get(request->body, "password"));
    char password[LIMIT_PASSWORD_BYTES + 1] = "";
    char old[LIMIT_PASSWORD_BYTES + 1];
    bool has_old = password_read(request->body, "old", old, sizeof(old));
    (void)has_old; /* without one, "" is checked */
    if (!person->has_password && !sign_in_state_of_conn(conn)->is_recovered &&
        !step_up_is_confirmed_or_no_secret(request)) {
        return; /* a stolen key must not be enough to set a password, which could then replace the
                   authenticator code */
    } else if (sign_up_compose_password(request, typed, password) &&
               request_is_within_rate_limit(request)) {
        auth_change_password(request, old, password);
    }
    sodium_memzero(password, sizeof(password));
    sodium_memzero(old, sizeof(old));
}

const struct message_handler handler_password_set = {message_password_set};

static void message_ping(const struct request *request)
{
    answer_ok(request, NULL);
}

const struct message_handler handler_ping = {message_ping};
