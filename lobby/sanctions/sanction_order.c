#include "lobby/sanctions/sanctions.h"

#include "lobby/persons/persons.h"

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

bool mod_rank_suffices(struct order *order, enum rank rank)
{
    if (order->rank < rank) {
        order_refuse(order, "role",
                     rank == RANK_MOD ? _("Only moderators may do that: ask one of them.")
                                      : _("Only admins may do that: ask one of them."));
    }
    return order->rank >= rank;
}

bool mod_require_rank(struct order *order, enum rank rank)
{
    const struct request request = order_get_request(order);
    if (!mod_rank_suffices(order, rank)) {
        return false;
    }
    if (order->rank == RANK_OWNER || order->words->rank >= RANK_MOD) {
        return true; /* the person has confirmed their identity before the command ran */
    }
    order->is_refused = !step_up_is_confirmed(&request);
    return !order->is_refused;
}

bool mod_may_act_on_target(struct order *order)
{
    const struct order_target *target = &order->target;
    enum rank rank = rank_of_role(target->account.role);
    if (target->kind != TARGET_USER && target->kind != TARGET_GUEST) {
        return true;
    }
    if (strcmp(target->name, order_requester_name(order)) == 0) {
        order_refuse(order, "self", _("That is you: you cannot do that to yourself."));
    } else if (rank >= RANK_MOD && rank >= order->rank) {
        order_refuse(order, "role",
                     _("%s has the same rights as you, or more: ask somebody above."),
                     target->name);
    }
    return order->code == NULL;
}
