#include "lobby/accounts/accounts.h"

#include "lobby/tables/tables.h"
#include "storage/house/house.h"

#include <stdio.h>
#include <string.h>

/* True for a value that the setting may have. Every language tag and every name of a time zone is
 * accepted: the front end decides which languages and zones it has. */
static bool setting_is_good(const struct row_field *setting, const json_t *value)
{
    enum {
        THEME,
        LANGUAGE,
        TIMEZONE
    };
    static const char *const keys[] = {
        [THEME] = "theme", [LANGUAGE] = "language", [TIMEZONE] = "timezone", NULL};
    static const char *const themes[] = {"colour", "contrast", "mono", NULL};
    static const char small[] = "abcdefghijklmnopqrstuvwxyz";
    static const char zone[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
    const char *text = json_string_value(value);
    size_t len = text == NULL ? 0 : strlen(text);
    struct quiet_hours quiet;
    if (setting->type == ROW_IS_FLAG) {
        return json_is_boolean(value);
    }
    if (setting->type == ROW_IS_WORD) {
        return row_value_of_word(setting->words, text) < setting->words->count;
    }
    switch (text_find_word(keys, setting->key)) {
    case THEME:
        return text_find_word(themes, text) >= 0;
    case LANGUAGE:
        return (len == 2 || len == 3) && strspn(text, small) == len;
    case TIMEZONE:
        return len > 0 && len < ROW_NAME_SIZE && strspn(text, zone) == len;
    default:
        return quiet_hours_from_json(value, &quiet);
    }
}

/* Copies the settings of rows.def from `new_settings`, whose other keys are ignored; false when the
 * value of one is invalid. */
static bool merge_valid_settings(json_t *settings, const json_t *new_settings)
{
    for (size_t i = 0; i < settings_row_def.count; i++) {
        const struct row_field *setting = &settings_row_def.fields[i];
        json_t *value = json_object_get(new_settings, setting->key);
        if (value == NULL) {
            continue;
        }
        if (!setting_is_good(setting, value)) {
            return false;
        }
        (void)json_object_set(settings, setting->key, value);
    }
    return true;
}

void message_settings_set(const struct request *request)
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
    person_save_settings(house, person);
    if (person->account != 0 && json_object_get(new_settings, "quiet") != NULL) {
        table_times_reread_time_off(house, person->account);
    }
    answer_ok(request, NULL);
}

void message_ping(const struct request *request)
{
    answer_ok(request, NULL);
}

static const struct policy_def {
    const char *key; /* key of the present value in the meta table */
    const char
        *configured_key; /* key, in the meta table, of the value last read from the configuration */
    const char *unknown; /* the refusal when the policy has no such value; N_() */
    struct {
        const char *name, *words;
    } values[3]; /* the first is the default */
} policies[] = {
    [POLICY_REGISTRATION] =
        {
            "registration",
            "registration_configured",
            N_("Registration is open, hold or closed: say which."),
            {
                {"open", N_("Registration is open: anybody may make an account.")},
                {"hold", N_("New accounts are held: they play, and talk once released.")},
                {"closed", N_("Registration is closed: strangers come in as guests only.")},
            },
        },
    [POLICY_GUESTS] =
        {
            "guests",
            "guests_configured",
            N_("Say what guests may do: yes, play-only or no."),
            {
                {"yes", N_("Guests may come in, play and talk.")},
                {"play-only", N_("Guests may come in and play, but cannot talk.")},
                {"no", N_("No guests are let in. Those who are here stay, but cannot talk.")},
            },
        },
};

/* Returns the place of the value among those of the policy; -1 when it has no such value. */
static int find_policy_value(const struct policy_def *def, const char *value)
{
    for (int i = 0; i < (int)ARRAY_LEN(def->values); i++) {
        if (strcmp(def->values[i].name, value) == 0) {
            return i;
        }
    }
    return -1;
}

const char *policy_value(struct house *house, enum policy policy)
{
    const struct policy_def *def = &policies[policy];
    char value[STORAGE_META_SIZE];
    int at = stored(house, storage_meta_get(house->storage, def->key, value))
                 ? find_policy_value(def, value)
                 : 0;
    return def->values[at < 0 ? 0 : at].name;
}

bool policy_has_value(struct house *house, enum policy policy, const char *value)
{
    return strcmp(policy_value(house, policy), value) == 0;
}

static void apply_configured_value(struct house *house, enum policy policy,
                                   const char *configured_value)
{
    const struct policy_def *def = &policies[policy];
    char value[STORAGE_META_SIZE];
    if (house->is_read_only ||
        (stored(house, storage_meta_get(house->storage, def->configured_key, value)) &&
         strcmp(value, configured_value) == 0)) {
        return;
    }
    stored_or_fail(house, storage_meta_set(house->storage, def->configured_key, configured_value));
    if (strcmp(configured_value, "keep") != 0) {
        stored_or_fail(house, storage_meta_set(house->storage, def->key, configured_value));
    }
}

static void apply_guest_policy(struct house *house)
{
    sanctions_house_state(house)->guests_may_talk = policy_has_value(house, POLICY_GUESTS, "yes");
}

void policies_load(struct house *house)
{
    admins_promote_first_admin(house);
    apply_configured_value(house, POLICY_REGISTRATION, house->config.house_registration);
    apply_configured_value(house, POLICY_GUESTS, house->config.house_guests);
    apply_guest_policy(house);
}

/* Sets the policy of the order's command to the order's word, which is one of its values. */
static void set_policy(struct order *order, const char *was)
{
    struct house *house = order->house;
    const struct policy_def *def = &policies[order->command->kind];
    stored_or_fail(house, storage_meta_set(house->storage, def->key, order->word));
    journal_write(house, order->conn, def->key,
                  JOURNAL_PAIRS("state", order->word, "was", was, "by", order->by_name));
    apply_guest_policy(house);
    PERSONS_EACH(person, house) {
        if (order->command->kind == POLICY_GUESTS && person->kind == PERSON_GUEST) {
            /* the lobby row of each guest shows whether guests may talk */
            person_mark_changed(house, person);
        }
    }
}

void mod_run_policy(struct order *order)
{
    const struct policy_def *def = &policies[order->command->kind];
    const char *value = policy_value(order->house, order->command->kind);
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
    } else {
        order->before = json_pack("{s:s}", "state", value);
        if (!mod_require_rank(order, RANK_ADMIN)) {
            return;
        }
        if (find_policy_value(def, order->word) < 0) {
            order_refuse(order, "bad", "%s", def->unknown);
            return;
        }
        set_policy(order, value);
        value = order->word;
    }
    order->data = json_pack("{s:s}", "state", value);
    order_add_line(order, "%s", def->values[find_policy_value(def, value)].words);
}

void message_registration(const struct request *request)
{
    answer_ok(request,
              json_pack("{s:s}", "state", policy_value(request->house, POLICY_REGISTRATION)));
}

void admins_promote_first_admin(struct house *house)
{
    struct storage_account account;
    if (house->is_read_only || house->config.house_first_admin[0] == '\0' ||
        !stored(house, storage_account_by_key(house->storage, house->config.house_first_admin,
                                              &account)) ||
        account.role == STORAGE_ROLE_ADMIN) {
        return;
    }
    staff_set_role(house, &account, STORAGE_ROLE_ADMIN);
}

/* True when a human, not a program, reads what this connection receives. */
static bool security_conn_has_human_reader(const struct conn *conn)
{
    return !conn->is_query_only && !conn->is_program;
}

/* Returns the owner of the account; NULL when they are not connected. */
static const struct person *security_find_person(struct house *house, int64_t account)
{
    struct storage_account row;
    const struct person *person =
        stored(house, storage_account_by_id(house->storage, account, &row))
            ? person_find(house, row.name)
            : NULL;
    return person != NULL && person->account == account ? person : NULL;
}

/* Sends the sentence to all of the person's connections except `skipped_conn`; true when a human
 * reads at least one of them. */
static bool security_notify_connections(struct house *house, const struct person *person,
                                        const struct conn *skipped_conn, json_t *sentence)
{
    bool is_told = false;
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (conn != skipped_conn) {
            conn_send_notice(house, conn, "warn", json_incref(sentence));
            is_told = is_told || security_conn_has_human_reader(conn);
        }
    }
    return is_told;
}

void security_notify(struct house *house, int64_t account, const struct conn *skipped_conn,
                     const char *skipped_key, json_t *sentence)
{
    const struct person *person = security_find_person(house, account);
    if (person == NULL || !security_notify_connections(house, person, skipped_conn, sentence)) {
        struct storage_notice notice = {.account = account, .at_ms = house->now_ms};
        (void)snprintf(notice.not_by_key, sizeof(notice.not_by_key), "%s",
                       skipped_key == NULL ? "" : skipped_key);
        say_write_stored_sentence(sentence, notice.text, sizeof(notice.text));
        stored_or_fail(house, storage_notice_add(house->storage, &notice));
    }
    json_decref(sentence);
}

/* Tells a person who has entered how often others have guessed their password, and ends the delay
 * of their name. */
static void security_tell_of_guesses(struct house *house, struct conn *conn)
{
    uint32_t guesses = backoff_count_known_failures(house, conn->person->name);
    if (guesses > 0) {
        conn_send_notice(
            house, conn, "warn",
            say_plural("%u wrong password was typed for your name since your last sign-in.",
                       "%u wrong passwords were typed for your name since your last sign-in.",
                       (unsigned)guesses));
        backoff_reset(house, conn->person->name);
    }
}

void security_send_stored_notices(struct house *house, struct conn *conn)
{
    struct storage_notice notices[STORAGE_NOTICES_MAX];
    size_t count = 0;
    if (conn->person->account == 0 || !security_conn_has_human_reader(conn) ||
        house->is_read_only) {
        return; /* if the notice cannot be deleted now, it is sent again at a later sign-in */
    }
    security_tell_of_guesses(house, conn);
    stored_or_fail(house, storage_notices_read(house->storage, conn->person->account,
                                               conn->key_fingerprint, notices, STORAGE_NOTICES_MAX,
                                               &count));
    for (size_t i = 0; i < count; i++) {
        conn_send_notice(house, conn, "warn", say_parse_stored_sentence(notices[i].text));
    }
    if (count > 0) {
        stored_or_fail(house, storage_notices_remove(house->storage, conn->person->account,
                                                     conn->key_fingerprint));
    }
}
