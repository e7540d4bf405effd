#include "lobby/sanctions/sanctions.h"

#include <inttypes.h>
#include <math.h>
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
    if (strcmp(target->name, order->by_name) == 0) {
        order_refuse(order, "self", _("That is you: you cannot do that to yourself."));
    } else if (rank >= RANK_MOD && rank >= order->rank) {
        order_refuse(order, "role",
                     _("%s has the same rights as you, or more: ask somebody above."),
                     target->name);
    }
    return order->code == NULL;
}

bool decision_requester_may_overrule(struct order *order, uint8_t decider_role,
                                     const char *decider_name)
{
    if (decider_role > (uint8_t)order->rank) {
        order_refuse(order, "role",
                     _("That was decided by %s, who has a higher role than you: ask them."),
                     decider_name);
    }
    return order->code == NULL;
}

bool decision_may_be_changed(struct order *order, enum storage_decision_kind kind, const char *name)
{
    struct storage_decision decision;
    struct house *house = order->house;
    if (!stored(house, storage_decision_read(house->storage, kind, name, &decision))) {
        return true;
    }
    return decision_requester_may_overrule(order, decision.by_role, decision.by_name);
}

void decision_store(struct order *order, enum storage_decision_kind kind, const char *name)
{
    struct house *house = order->house;
    struct storage_decision decision = {
        .kind = kind,
        .by_role = (uint8_t)order->rank,
        .at_ms = house->now_ms,
    };
    (void)snprintf(decision.name, sizeof(decision.name), "%s", name);
    (void)snprintf(decision.by_name, sizeof(decision.by_name), "%s", order->by_name);
    stored_or_fail(house, storage_decision_set(house->storage, &decision));
}

void decision_remove(struct house *house, enum storage_decision_kind kind, const char *name)
{
    stored_or_fail(house, storage_decision_delete(house->storage, kind, name));
}

void decision_write_account_name(int64_t account, char name[DECISION_ACCOUNT_SIZE])
{
    (void)snprintf(name, DECISION_ACCOUNT_SIZE, "%" PRId64, account);
}

/* Whether the person may talk. When they may not, a request (NULL: none) is answered. */
static bool check_voice(const struct house *house, const struct person *person,
                        enum mute_scope scope, const struct request *request)
{
    const struct sanctioned *sanctioned = &sanctions_person_state(person)->by_staff;
    const int64_t pause_ms = sanctions_person_state(person)->paused_ms - house->now_ms;
    if (person->is_held || sanctioned->is_held) {
        return request != NULL &&
               answer_no(request, "held",
                         _("That was not sent: you are held, and cannot talk until a moderator "
                           "releases you. You can play meanwhile."));
    }
    if (person->kind == PERSON_GUEST && !sanctions_house_state(house)->guests_may_talk) {
        return request != NULL &&
               answer_no(request, "guest",
                         _("That was not sent: guests may play here, but only accounts may talk. "
                           "Make one; it takes a minute."));
    }
    if (sanctioned->is_warned) {
        return request != NULL &&
               answer_no(request, "warned",
                         _("You have been warned: /sanctions shows why; type /sanctions ok, then "
                           "talk."));
    }
    if (sanctioned->mute_ms[scope] > house->now_ms) {
        return request != NULL &&
               answer_no(request, "muted",
                         _("You are muted here %p: /sanctions says why, /appeal asks to have it "
                           "lifted."),
                         say_until_argument(sanctioned->mute_ms[scope]));
    }
    if (pause_ms > 0) { /* the person wrote too much too quickly */
        const int64_t wait_s = (pause_ms + 999) / 1000;
        return request != NULL &&
               answer_retry_later(request, wait_s,
                                  _("You wrote too much too quickly: you can write again in %d s."),
                                  (int)wait_s);
    }
    return true;
}

bool voice_person_may_talk(const struct house *house, const struct person *person,
                           enum mute_scope scope)
{
    return check_voice(house, person, scope, NULL);
}

bool voice_allows_request(const struct request *request, enum mute_scope scope)
{
    return check_voice(request->house, request->conn->person, scope, request);
}

bool voice_allows_order(struct order *order, enum mute_scope scope)
{
    const struct request request = order_get_request(order);
    order->is_refused = order->conn->person != NULL && !voice_allows_request(&request, scope);
    return !order->is_refused;
}

bool disabled_allows_request(const struct request *request, const char *name)
{
    if (request->conn->person == NULL || request->conn->person->role != STORAGE_ROLE_PLAYER ||
        json_object_get(sanctions_house_state(request->house)->disabled, name) == NULL) {
        return true;
    }
    return answer_no(request, "off", _("%s is switched off for now: try again another day."), name);
}

bool disabled_allows_new_game(const struct request *request, const char *game)
{
    if (!sanctions_house_state(request->house)->is_draining) {
        return disabled_allows_request(request, game);
    }
    return answer_no(request, "draining",
                     _("No new games begin now: the house is about to close for a while."));
}

void sanctions_set_rule(struct house *house, enum storage_rule kind, const char *name, bool is_set)
{
    json_t *names = kind == STORAGE_RULE_OFF ? sanctions_house_state(house)->disabled
                                             : sanctions_house_state(house)->allowed;
    stored_or_fail(house, storage_rule_set(house->storage, kind, name, is_set));
    if (is_set) {
        (void)json_object_set_new(names, name, json_true());
    } else {
        (void)json_object_del(names, name);
    }
}

bool need_enabled(struct request *request)
{
    return disabled_allows_request(request, json_string_value(json_object_get(request->body, "t")));
}

/* the most people whose rows are counted; another person replaces the oldest entry */
#define LIMITS_MAX 4096
#define STAFF_TIMES 20 /* the limit of staff is this many times the limit of players */

/* The rate limit of one person who has caused audit rows lately. */
struct limit {
    char who[STORAGE_ADDRESS_SIZE];
    struct bucket bucket;
};

/* Writes the key under which a person's audit rows are counted: the account, or for a guest the
 * source of the connection (house/parts.h), or for a guest on the local machine the guest's name.
 */
static void write_limit_key(const struct house *house, const struct conn *conn,
                            char who[STORAGE_ADDRESS_SIZE])
{
    source_write_from_address(conn->address, who);
    if (conn->person->account != 0) {
        (void)snprintf(who, STORAGE_ADDRESS_SIZE, "account %" PRId64, conn->person->account);
    } else if (source_is_local(who) && !house->config.door_limit_loopback) {
        (void)snprintf(who, STORAGE_ADDRESS_SIZE, "%s", conn->person->name);
    }
}

static struct bucket_rule rate_limit_of_conn(const struct house *house, const struct conn *conn)
{
    const struct house_config *config = &house->config;
    double times = conn->person->role == STORAGE_ROLE_PLAYER ? 1 : STAFF_TIMES;
    return (struct bucket_rule){
        .burst = times * config->limits_audit_burst,
        .per_second = times * config->limits_audit_per_h / 3600.0,
    };
}

static void remove_limit(struct house *house, struct limit *limit)
{
    index_remove(&sanctions_house_state(house)->audit_limits, limit->who, strlen(limit->who));
    free(limit);
}

static struct limit *find_or_add_limit(struct house *house, const char *who)
{
    struct index *limits = &sanctions_house_state(house)->audit_limits;
    struct limit *limit = index_find(limits, who, strlen(who));
    if (limit != NULL) {
        return limit;
    }
    if (index_count(limits) >= LIMITS_MAX) {
        remove_limit(house, index_oldest(limits));
    }
    limit = memory_new(sizeof(*limit));
    (void)snprintf(limit->who, sizeof(limit->who), "%s", who);
    index_add(limits, limit->who, strlen(limit->who), limit);
    return limit;
}

int64_t audit_limit_wait_s(struct house *house, const struct conn *conn)
{
    char who[STORAGE_ADDRESS_SIZE];
    if (conn->person == NULL) {
        return 0; /* the owner's program has no limit */
    }
    write_limit_key(house, conn, who);
    const struct limit *limit =
        index_find(&sanctions_house_state(house)->audit_limits, who, strlen(who));
    const struct bucket_rule rule = rate_limit_of_conn(house, conn);
    struct bucket trial = {0};
    if (limit != NULL) {
        trial = limit->bucket;
    }
    if (bucket_take_tokens(&trial, &rule, 1, house->now_ms)) {
        return 0;
    }
    return (int64_t)ceil((trial.used + 1 - rule.burst) / rule.per_second);
}

bool audit_limit_allows_request(const struct request *request)
{
    int64_t wait_s = audit_limit_wait_s(request->house, request->conn);
    if (wait_s == 0) {
        return true;
    }
    return answer_retry_later(
        request, wait_s,
        _("Such requests are logged, and you have made too many: try again in %d s."), (int)wait_s);
}

/* Counts an audit row that the person of this connection has caused. */
static void audit_limit_count_row(struct house *house, const struct conn *conn)
{
    char who[STORAGE_ADDRESS_SIZE];
    if (conn->person == NULL) {
        return;
    }
    write_limit_key(house, conn, who);
    const struct bucket_rule rule = rate_limit_of_conn(house, conn);
    (void)bucket_take_tokens(&find_or_add_limit(house, who)->bucket, &rule, 1, house->now_ms);
}

void audit_limits_clear(struct house *house)
{
    INDEX_ITEMS_EACH(struct limit, limit, &sanctions_house_state(house)->audit_limits) {
        remove_limit(house, limit);
    }
}

bool need_audit(struct request *request)
{
    return audit_limit_allows_request(request);
}

const char *audit_interface_name(const struct conn *conn)
{
    return conn->peer == PEER_OPERATOR ? "system"
           : conn->is_program          ? "api"
           : conn->is_query_only       ? "exec"
                                       : "tui";
}

void audit_fill_source(const struct conn *conn, const char *via, struct audit_source *source)
{
    /* the person is NULL when the request comes from the owner's program */
    const struct person *person = conn->person;
    *source = (struct audit_source){
        .account = person == NULL ? 0 : person->account,
        .session = conn->id,
        .role = person == NULL                 ? "owner"
                : person->kind == PERSON_GUEST ? "guest"
                                               : role_name(person->role),
        .via = via,
    };
    (void)snprintf(source->name, sizeof(source->name), "%s", staff_name_of_conn(conn));
    (void)snprintf(source->address, sizeof(source->address), "%s", conn->address);
    (void)snprintf(source->fingerprint, sizeof(source->fingerprint), "%s", conn->key_fingerprint);
}

void audit_write_for_source(struct house *house, const struct audit_source *source,
                            struct storage_audit row)
{
    row.at_ms = house->now_ms;
    row.actor = source->account;
    row.actor_name = source->name;
    row.actor_role = source->role;
    row.session = source->session;
    row.address = source->address;
    row.fingerprint = source->fingerprint;
    row.via = source->via;
    int64_t id = 0;
    stored_or_fail(house, storage_audit_add(house->storage, &row, &id));
}

void audit_write_house_action(struct house *house, const struct storage_audit *row)
{
    struct storage_audit own = *row;
    own.at_ms = house->now_ms;
    own.actor_name = "the house";
    own.actor_role = "house";
    own.via = "system";
    own.result = "ok";
    int64_t id = 0;
    stored_or_fail(house, storage_audit_add(house->storage, &own, &id));
}

void audit_write_action(struct house *house, const struct conn *conn, const char *via,
                        struct storage_audit row)
{
    struct audit_source source;
    audit_fill_source(conn, via, &source);
    audit_write_for_source(house, &source, row);
    audit_limit_count_row(house, conn);
}
