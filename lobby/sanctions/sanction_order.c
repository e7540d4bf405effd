#include "lobby/sanctions/sanctions.h"

#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* When the person of this connection, which only asks queries, last confirmed their identity on
 * another with the same key and from the same address; 0: never. */
static int64_t confirmed_by_key_ms(const struct house *house, const struct conn *conn)
{
    const struct confirmed_keys *keys = &sanctions_house_state(house)->confirmed;
    int64_t at_ms = 0;
    for (size_t i = 0; conn->is_query_only && i < KEYS_MAX; i++) {
        const struct confirmed_key *key = &keys->at[i];
        if (key->account == conn->person->account && key->at_ms > at_ms &&
            strcmp(key->fingerprint, conn->key_fingerprint) == 0 &&
            strcmp(key->address, conn->address) == 0) {
            at_ms = key->at_ms;
        }
    }
    return at_ms;
}

static bool step_up_has_secret(const struct person *person)
{
    return person->has_password || person->has_totp;
}

static bool step_up_is_possible(const struct request *request)
{
    const struct person *person = request->conn->person;
    if (person->account == 0) {
        answer_no(request, "guest", _("A guest has nothing to confirm: make an account first."));
    } else if (conn_is_telnet(request->conn)) {
        answer_no(request, "telnet",
                  _("You cannot confirm by telnet, where others can read your password: connect by "
                    "ssh."));
    } else if (!step_up_has_secret(person)) {
        answer_no(request, "no_secret",
                  _("A key alone is not enough for that: set a /password or type /totp on."));
    } else {
        return true;
    }
    return false;
}

bool need_secret(struct request *request)
{
    return step_up_is_possible(request);
}

bool step_up_is_confirmed(const struct request *request)
{
    if (!step_up_is_possible(request)) {
        return false;
    }
    int64_t confirmed_ms = sanctions_conn_state(request->conn)->confirmed_ms;
    if (confirmed_ms == 0) {
        confirmed_ms = confirmed_by_key_ms(request->house, request->conn);
    }
    int64_t age_ms = request->house->now_ms - confirmed_ms;
    if (confirmed_ms != 0 && age_ms >= 0 &&
        age_ms < INT64_C(1000) * request->house->config.staff_step_up_s) {
        return true;
    }
    return answer_no(request, "step_up", _("Confirm first that it is you."));
}

bool step_up_is_confirmed_or_no_secret(const struct request *request)
{
    struct conn *conn = request->conn;
    bool is_first = conn->person->account != 0 && !step_up_has_secret(conn->person);
    return (is_first && !conn_is_telnet(conn)) || step_up_is_confirmed(request);
}

bool need_step_up(struct request *request)
{
    return step_up_is_confirmed_or_no_secret(request);
}

void step_up_confirm_conn(struct house *house, struct conn *conn)
{
    struct storage_account account;
    struct confirmed_keys *keys = &sanctions_house_state(house)->confirmed;
    sanctions_conn_state(conn)->confirmed_ms = house->now_ms;
    if (conn->key_fingerprint[0] == '\0' ||
        !stored(house, storage_account_by_key(house->storage, conn->key_fingerprint, &account)) ||
        account.id != conn->person->account) {
        return;
    }
    struct confirmed_key *key = &keys->at[keys->next++ % KEYS_MAX];
    *key = (struct confirmed_key){.account = account.id, .at_ms = house->now_ms};
    (void)snprintf(key->fingerprint, sizeof(key->fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(key->address, sizeof(key->address), "%s", conn->address);
}

void step_up_drop_confirmations(const struct house *house, struct person *person)
{
    for (size_t i = 0; i < KEYS_MAX; i++) {
        struct confirmed_key *key = &sanctions_house_state(house)->confirmed.at[i];
        key->at_ms = key->account == person->account ? 0 : key->at_ms;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        sanctions_conn_state(conn)->confirmed_ms = 0;
    }
}

bool need_moderator(struct request *request)
{
    if (request->conn->peer == PEER_OPERATOR) {
        return true;
    }
    if (request->conn->person->role < STORAGE_ROLE_MOD) {
        return answer_no(request, "role", _("Only moderators may do that: ask one of them."));
    }
    return step_up_is_confirmed(request);
}

const char *staff_name_of_conn(const struct conn *conn)
{
    return conn->peer == PEER_OPERATOR ? STAFF_OWNER : conn->person->name;
}

void staff_end_telnet_conn(struct house *house, struct conn *conn)
{
    if (conn->person->role != STORAGE_ROLE_PLAYER && conn_is_telnet(conn)) {
        conn_dismiss(house, conn,
                     say(_("You are staff now, and staff cannot use telnet: come by ssh.")));
    }
}

void staff_set_role(struct house *house, const struct storage_account *account,
                    enum storage_role role)
{
    struct person *person = person_find(house, account->name);
    stored_or_fail(house, storage_account_set_role(house->storage, account->id, role));
    if (person == NULL) {
        return;
    }
    person->role = role;
    if (role == STORAGE_ROLE_PLAYER) {
        PERSON_LISTENERS_CALL(demoted, house, person);
    }
    person_send_you_row(house, person);
    LINKED_CONNS_EACH(conn, &person->conns) {
        staff_end_telnet_conn(house, conn);
    }
}

void staff_notify(struct house *house, enum storage_role role, json_t *sentence)
{
    CONNS_EACH(conn, house) {
        if (conn->person != NULL && conn->person->role >= role) {
            conn_send_notice(house, conn, "info", json_incref(sentence));
        }
    }
    json_decref(sentence);
}

void staff_notify_of_case(struct house *house, json_t *sentence)
{
    metrics_count(house, HOUSE_METRIC_reports, NULL, NULL, 1);
    PERSON_LISTENERS_CALL(case_opened, house);
    staff_notify(house, STORAGE_ROLE_MOD, sentence);
}

#define SECOND_MS INT64_C(1000)

static const struct unit {
    char letter;
    int64_t ms;
} units[] = {
    {'s', SECOND_MS},         {'m', 60 * SECOND_MS}, {'h', 3600 * SECOND_MS},
    {'d', 86400 * SECOND_MS}, {'w', 7 * DAY_MS},
};

/* the longest duration that people can give as a number; "perm" is longer */
#define TIME_MAX_MS (3650 * DAY_MS)

bool order_parse_duration(const char *word, int64_t *ms)
{
    char *end = NULL;
    if (strcmp(word, "perm") == 0) {
        *ms = ORDER_FOR_GOOD;
        return true;
    }
    if (word[0] < '0' || word[0] > '9') {
        return false;
    }
    long long count = strtoll(word, &end, 10);
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        if (end[0] == units[i].letter && end[1] == '\0') {
            *ms = count <= TIME_MAX_MS / units[i].ms ? count * units[i].ms : 0;
            return *ms > 0;
        }
    }
    return false;
}

const char *order_requester_name(const struct order *order)
{
    return staff_name_of_conn(order->conn);
}

void *order_requester_sentence_argument(const struct order *order)
{
    return say_word_argument(order_requester_name(order));
}

int64_t order_requester_account(const struct order *order)
{
    return order->conn->person == NULL ? 0 : order->conn->person->account;
}

static void refuse_with_sentence(struct order *order, const char *code, json_t *why)
{
    if (order->code != NULL) {
        json_decref(why);
        return;
    }
    order->code = code;
    order->why = why;
}

bool order_is_denied(const struct order *order)
{
    static const char *const codes[] = {"role", "self", NULL};
    return text_find_word(codes, order->code) >= 0;
}

bool order_refuse(struct order *order, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse_with_sentence(order, code, say_with_args(format, args));
    va_end(args);
    return false;
}

void order_add_sentence(struct order *order, json_t *sentence)
{
    char text[SAY_TEXT_SIZE];
    json_t *sent = say_sentence_if_has_arguments(sentence);
    say_write_english(sentence, text, sizeof(text));
    (void)json_array_append_new(order->lines, json_string(text));
    (void)json_array_append_new(order->says, sent == NULL ? json_null() : json_incref(sent));
    json_decref(sentence);
}

void order_add_line(struct order *order, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    order_add_sentence(order, say_with_args(format, args));
    va_end(args);
}

bool order_require_confirmation(struct order *order, json_t *question)
{
    if (order->is_confirmed) {
        json_decref(question);
    } else {
        refuse_with_sentence(order, "confirm", question);
    }
    return order->is_confirmed;
}

int order_find_option(const struct mod_command *command, const char *key, size_t len)
{
    for (int i = 0; i < ORDER_OPTIONS_MAX && command->options[i] != NULL; i++) {
        if (strncmp(command->options[i], key, len) == 0 && command->options[i][len] == '\0') {
            return i;
        }
    }
    return -1;
}

const char *order_option_value(const struct order *order, const char *key)
{
    int i = order_find_option(order->command, key, strlen(key));
    return i < 0 || order->options[i][0] == '\0' ? NULL : order->options[i];
}

int64_t order_option_number(struct order *order, const char *key, int64_t fallback)
{
    const char *text = order_option_value(order, key);
    char *end = NULL;
    if (text == NULL) {
        return fallback;
    }
    long long number = strtoll(text, &end, 10);
    if (*end != '\0' || number < 0) {
        order_refuse(order, "bad", _("%s= needs a number: you typed \"%s\"."), key, text);
        return fallback;
    }
    return number;
}

int64_t order_option_since(struct order *order)
{
    int64_t span_ms = 0;
    const char *since = order_option_value(order, "since");
    if (since != NULL && (!order_parse_duration(since, &span_ms) || span_ms < 0)) {
        order_refuse(order, "bad", _("since= needs a time like 12h or 7d."));
    }
    return since == NULL ? 0 : order->house->now_ms - span_ms;
}

/* Sanctions that moderation commands impose and lift. */

static void fill_sanction_target(const struct order_target *target,
                                 struct storage_sanction *sanction)
{
    if (target->kind == TARGET_USER || target->kind == TARGET_GUEST) {
        sanction->account = target->id;
        (void)snprintf(sanction->name, sizeof(sanction->name), "%s", target->name);
    } else if (target->kind == TARGET_ADDRESS) {
        (void)snprintf(sanction->address, sizeof(sanction->address), "%s", target->name);
    } else {
        (void)snprintf(sanction->fingerprint, sizeof(sanction->fingerprint), "%s", target->name);
    }
}

/* Tells everybody to whom the new sanction applies about it, under whatever name they are here. */
static void notify_affected_people(struct house *house, const struct sanction *sanction)
{
    PERSONS_EACH(person, house) {
        if (!sanction_applies_to_person(house, sanction, person)) {
            continue;
        }
        sanctions_load(house, person);
        LINKED_CONNS_EACH(conn, &person->conns) {
            sanctions_notify_conn(house, conn);
        }
    }
}

#define LIFTED_MAX 64 /* the most sanctions of one kind that an order lifts */

/* A new sanction of these kinds replaces earlier ones of its kind against the same target. */
#define REPLACED_KINDS                                                                             \
    (1U << STORAGE_SANCTION_MUTE | 1U << STORAGE_SANCTION_SUSPEND | 1U << STORAGE_SANCTION_RANKBAN)

/* Sanctions that are to be lifted, none of them twice. */
struct lift_list {
    struct sanction *at[LIFTED_MAX];
    size_t count;
};

static void lift_list_add(struct lift_list *list, struct sanction *sanction)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->at[i] == sanction) {
            return;
        }
    }
    if (list->count < LIFTED_MAX) {
        list->at[list->count++] = sanction;
    }
}

static bool sanction_names_target(const struct order_target *target,
                                  const struct storage_sanction *sanction)
{
    struct storage_sanction own = {0};
    fill_sanction_target(target, &own);
    return sanction->account == own.account &&
           (own.account != 0 || strcmp(sanction->name, own.name) == 0) &&
           strcmp(sanction->address, own.address) == 0 &&
           strcmp(sanction->fingerprint, own.fingerprint) == 0;
}

static void add_sanction_line(struct order *order, const char *format,
                              const struct storage_sanction *sanction)
{
    order_add_sentence(
        order, json_pack("[s,o]", format, say_sentence_argument(sanction_to_sentence(sanction))));
}

/* Lists the sanctions of this kind against the target, newest first. For a guest, this includes
 * sanctions against other guest names of the same person. If one is against another account of the
 * person, returns it: only sanctions against the target's own account are listed. */
static const struct sanction *list_sanctions_of_target(const struct order *order,
                                                       enum storage_sanction_kind kind,
                                                       struct lift_list *list)
{
    const struct order_target *target = &order->target;
    const struct sanction *other = NULL;
    struct sources sources;
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind == kind && sanction_names_target(target, &sanction->row)) {
            lift_list_add(list, sanction);
        }
    }
    for (size_t i = 0; i < list->count / 2; i++) {
        struct sanction *older = list->at[i];
        list->at[i] = list->at[list->count - 1 - i];
        list->at[list->count - 1 - i] = older;
    }
    person_sources_read_of_target(order->house, target, &sources);
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind != kind || sanction_names_target(target, &sanction->row) ||
            !person_sources_overlap(sanction->sources, &sources)) {
            continue;
        }
        if (target->kind == TARGET_GUEST && sanction->row.account == 0) {
            lift_list_add(list, sanction);
        } else {
            other = sanction;
        }
    }
    return other;
}

/* True when nobody of a higher role imposed one of them; otherwise refuses the order. */
static bool may_lift_all(struct order *order, const struct lift_list *list)
{
    for (size_t i = 0; i < list->count && order->code == NULL; i++) {
        const struct storage_sanction *row = &list->at[i]->row;
        (void)!decision_requester_may_overrule(order, row->by_role, row->by_name);
    }
    return order->code == NULL;
}

static void refuse_to_lift(struct order *order, const struct sanction *other)
{
    if (other != NULL) {
        order_refuse(order, "unknown",
                     _("No such sanction is in force against %s, but one is against %s, who has "
                       "the same address or key: lift that one."),
                     order->target.name, other->row.name);
    } else {
        order_refuse(order, "unknown", _("No such sanction is in force against %s."),
                     order->target.name);
    }
}

/* Ends the sanction, tells the people it applied to, and reports it to the requester. */
static void lift_sanction(struct order *order, struct sanction *sanction)
{
    const struct storage_sanction lifted = sanction->row;
    sanction_end_and_notify(order->house, sanction, order_requester_name(order),
                            say(_("%p has lifted the sanction against you."),
                                order_requester_sentence_argument(order)));
    add_sanction_line(order, _("Lifted: %p"), &lifted);
}

/* Ends the sanctions that the new one of this kind replaces; appeals against them stay open. */
static void end_replaced_sanctions(struct order *order, enum storage_sanction_kind kind)
{
    struct lift_list list = {.count = 0};
    (void)list_sanctions_of_target(order, kind, &list);
    for (size_t i = 0; i < list.count; i++) {
        const struct storage_sanction *kept = &list.at[i]->row;
        if (kept->by_role > (uint8_t)order->rank) {
            add_sanction_line(order, _("Still in force: %p"), kept);
        }
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct storage_sanction replaced = list.at[i]->row;
        if (replaced.by_role <= (uint8_t)order->rank) {
            order->reverses = replaced.audit;
            sanction_end_and_notify(order->house, list.at[i], order_requester_name(order), NULL);
            add_sanction_line(order, _("Replaced: %p"), &replaced);
        }
    }
}

void sanction_impose(struct order *order, enum storage_sanction_kind kind, uint32_t scopes)
{
    struct house *house = order->house;
    struct sources sources = {.count = 0};
    struct storage_sanction row = {
        .kind = kind,
        .scopes = scopes,
        .by_role = (uint8_t)order->rank,
        .since_ms = house->now_ms,
        .until_ms =
            order->duration_ms > 0 ? house->now_ms + order->duration_ms : STORAGE_SANCTION_FOR_GOOD,
    };
    fill_sanction_target(&order->target, &row);
    if ((REPLACED_KINDS >> kind & 1) != 0) {
        end_replaced_sanctions(order, kind);
    }
    (void)snprintf(row.reason, sizeof(row.reason), "%s", order->reason);
    (void)snprintf(row.note, sizeof(row.note), "%s", order->note);
    (void)snprintf(row.by_name, sizeof(row.by_name), "%s", order_requester_name(order));
    stored_or_fail(house, storage_audit_read_next_id(house->storage, &row.audit));
    if (order->target.kind == TARGET_GUEST || (SANCTIONS_THAT_FOLLOW >> kind & 1) != 0) {
        person_sources_read_of_target(house, &order->target, &sources);
    }
    const struct sanction *sanction = sanction_add(house, &row, &sources);
    order->expires_ms = order->duration_ms > 0 ? row.until_ms : 0;
    order->after = sanction_to_json(&sanction->row, true);
    notify_affected_people(house, sanction);
    gate_bans_mark_changed(house);
}

bool sanction_lift_appealed(struct order *order, const struct storage_sanction *appealed,
                            const struct storage_report *appeal)
{
    struct lift_list list = {.count = 0};
    struct sanction *first = sanction_find(order->house, appealed->id);
    if (first != NULL) {
        lift_list_add(&list, first);
    }
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind == appealed->kind &&
            (sanction_names(&sanction->row, appealed->account, appealed->name) ||
             sanction_names(&sanction->row, appeal->about_account, appeal->about_name))) {
            lift_list_add(&list, sanction);
        }
    }
    if (!may_lift_all(order, &list)) {
        return false;
    }
    for (size_t i = 0; i < list.count; i++) {
        if (list.at[i] != first) {
            appeal_close_for_ended_sanction(order->house, &list.at[i]->row,
                                            order_requester_name(order), order->reason);
        }
        order->reverses = list.at[i]->row.audit;
        lift_sanction(order, list.at[i]);
    }
    return true;
}

bool sanction_lift_all_of_kind(struct order *order, enum storage_sanction_kind kind)
{
    struct lift_list list = {.count = 0};
    const struct sanction *other = list_sanctions_of_target(order, kind, &list);
    if (!may_lift_all(order, &list)) {
        return false;
    }
    if (list.count == 0) {
        refuse_to_lift(order, other);
        return false;
    }
    order->before = sanction_to_json(&list.at[0]->row, true);
    order->reverses = list.at[0]->row.audit;
    for (size_t i = 0; i < list.count; i++) {
        appeal_close_for_ended_sanction(order->house, &list.at[i]->row, order_requester_name(order),
                                        order->reason[0] == '\0' ? _("The sanction is lifted.")
                                                                 : order->reason);
        lift_sanction(order, list.at[i]);
    }
    return true;
}

void sanction_add_lines_in_force(struct order *order, int64_t account, const char *name)
{
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction_names(&sanction->row, account, name)) {
            add_sanction_line(order, _("Still in force: %p"), &sanction->row);
        }
    }
}
