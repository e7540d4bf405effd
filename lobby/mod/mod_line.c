#include "lobby/mod/mod.h"

#include "storage/people/people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse_with_usage(struct order *order, const char *problem)
{
    order_refuse(order, "bad", _("%s Usage: /%s %s"), problem, order->words->name,
                 _(order->words->args));
}

static void skip_blanks(struct order *order)
{
    while (*order->unread == ' ') {
        order->unread++;
    }
}

/* Copies the next word without moving past it; false at the end of the line, or when the word is
 * too long. */
static bool peek_word(struct order *order, char word[STORAGE_FINGERPRINT_SIZE], size_t *len)
{
    skip_blanks(order);
    *len = strcspn(order->unread, " ");
    if (*len == 0 || *len >= STORAGE_FINGERPRINT_SIZE) {
        return false;
    }
    memcpy(word, order->unread, *len);
    word[*len] = '\0';
    return true;
}

/* The length of the key when the word looks like an option, key=value; otherwise 0. */
static size_t option_key_len(const char *word)
{
    size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
    return word[len] == '=' ? len : 0;
}

static void store_option(struct order *order, int at, const char *key, const char *value)
{
    if (value[0] == '\0') {
        order_refuse(order, "bad", _("The value after %s= is missing."), key);
    } else if (order->options[at][0] != '\0') {
        order_refuse(order, "bad", _("%s= stands there twice."), key);
    } else {
        (void)snprintf(order->options[at], sizeof(order->options[at]), "%s", value);
    }
}

/* Reads the key=value words that the command knows. They may stand between any parts of the
 * line. */
static void read_options(struct order *order)
{
    char word[STORAGE_FINGERPRINT_SIZE];
    size_t len;
    while (order->code == NULL && peek_word(order, word, &len)) {
        size_t key = option_key_len(word);
        int at = key == 0 ? -1 : order_find_option(order->command, word, key);
        if (at < 0) {
            return;
        }
        store_option(order, at, order->command->options[at], word + key + 1);
        order->unread += len;
    }
}

/* Refuses a reason with a word that looks like an option: a mistyped option, or one after the first
 * word of the reason, would have no effect. For a command without options, only the first word of
 * the reason counts. */
static void refuse_option_in_reason(struct order *order)
{
    bool has_options = order->command->options[0] != NULL;
    char key[STORAGE_FINGERPRINT_SIZE];
    const char *word = order->reason;
    while (*word != '\0' && (has_options || word == order->reason)) {
        size_t len = option_key_len(word);
        (void)snprintf(key, sizeof(key), "%.*s", (int)len, word);
        if (len > 0 && order_find_option(order->command, word, len) >= 0) {
            order_refuse(order, "bad", _("Options such as %s= stand before the reason."), key);
        } else if (len > 0) {
            order_refuse(order, "bad", _("There is no option %s=. Usage: /%s %p"), key,
                         order->words->name, say_word_argument(order->words->args));
        }
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
}

/* Finds the account of that name. Commands that change nothing also find an account by its former
 * names. */
static bool find_account(struct order *order, struct order_target *target, const char *name)
{
    struct house *house = order->house;
    struct storage_former_name former;
    if (stored(house, storage_account_by_name(house->storage, name, &target->account))) {
        return true;
    }
    return (order->command->flags & MOD_READS) != 0 &&
           stored(house, storage_former_name_find(house->storage, name, &former)) &&
           stored(house, storage_account_by_id(house->storage, former.account, &target->account));
}

/* Finds a guest who is in the house, was in it within a day, or has a sanction in force against
 * them. */
static bool find_guest(struct house *house, struct order_target *target, const char *name)
{
    if (guests_find(house, name, &target->guest)) {
        return true;
    }
    target->guest = (struct storage_guest){.seen_ms = 0};
    SANCTIONS_EACH(sanction, house) {
        if (sanction_names(&sanction->row, 0, name)) {
            return true;
        }
    }
    return false;
}

static void read_person_target(struct order *order, struct order_target *target, const char *word)
{
    unsigned kinds = order->command->targets;
    char name[STORAGE_FINGERPRINT_SIZE];
    (void)snprintf(name, sizeof(name), "%s", word);
    name_to_lower(name);
    target->person = person_find(order->house, name);
    (void)snprintf(target->name, sizeof(target->name), "%s", name);
    if (find_account(order, target, name)) {
        target->kind = TARGET_USER;
        target->id = target->account.id;
        target->person = person_find(order->house, target->account.name);
        (void)snprintf(target->name, sizeof(target->name), "%s", target->account.name);
        if (target->account.is_closed && (order->command->flags & MOD_OPEN) != 0) {
            order_refuse(
                order, "closed",
                _("The account %s was deleted or merged into another: it is closed for good."),
                target->name);
        }
    } else if (!find_guest(order->house, target, name)) {
        order_refuse(order, "unknown", _("Nobody is called %s: check the spelling."), name);
    } else if ((kinds & TARGET_GUEST) != 0) {
        target->kind = TARGET_GUEST;
    } else {
        order_refuse(order, "guest", _("%s is a guest and has no account."), name);
    }
}

static void read_number_target(struct order *order, struct order_target *target, const char *word,
                               enum order_kind kind)
{
    char *end = NULL;
    long long id = strtoll(word + 1, &end, 10);
    (void)snprintf(target->name, sizeof(target->name), "%s", word);
    target->kind = kind;
    target->id = id;
    target->table = kind == TARGET_TABLE ? table_find(order->house, id) : NULL;
    if (end == word + 1 || *end != '\0' || id < 1) {
        order_refuse(order, "unknown", _("%s is not the number of a table or a game."), word);
    } else if (kind == TARGET_TABLE && target->table == NULL) {
        order_refuse(order, "unknown", _("Table %s is closed, or never was."), word);
    }
}

static void read_address(struct order *order, struct order_target *target, const char *text)
{
    struct net net;
    target->kind = TARGET_ADDRESS;
    if (!net_parse(text, &net)) {
        order_refuse(order, "bad",
                     _("%s is not an address or a network: write 192.0.2.7 or 2001:db8::/48."),
                     text);
        return;
    }
    net_format(&net, target->name);
}

static void read_target(struct order *order, struct order_target *target, const char *word,
                        unsigned kinds)
{
    if (word[0] == '#' && (kinds & TARGET_TABLE) != 0) {
        read_number_target(order, target, word, TARGET_TABLE);
    } else if (word[0] == '@' && (kinds & TARGET_GAME) != 0) {
        read_number_target(order, target, word, TARGET_GAME);
    } else if (strncmp(word, "ip=", 3) == 0 && (kinds & TARGET_ADDRESS) != 0) {
        read_address(order, target, word + 3);
    } else if (strncmp(word, "key=SHA256:", 11) == 0 && (kinds & TARGET_KEY) != 0) {
        target->kind = TARGET_KEY;
        (void)snprintf(target->name, sizeof(target->name), "%s", word + 4);
    } else if ((kinds & TARGET_ANYBODY) != 0) {
        read_person_target(order, target, word);
    } else {
        refuse_with_usage(order, _("The command does not work on this kind of target."));
    }
}

/* Reads the rest of the line: the reason and, after " // ", the private note. */
static void read_reason(struct order *order, bool is_required)
{
    skip_blanks(order);
    const char *note =
        strncmp(order->unread, "//", 2) == 0 ? order->unread : strstr(order->unread, " //");
    size_t len = note == NULL ? strlen(order->unread) : (size_t)(note - order->unread);
    while (len > 0 && order->unread[len - 1] == ' ') {
        len--;
    }
    memcpy(order->reason, order->unread, len);
    order->reason[len] = '\0';
    if (note != NULL) {
        note += strspn(note, " /");
        (void)snprintf(order->note, sizeof(order->note), "%s", note);
    }
    refuse_option_in_reason(order);
    if (is_required && len == 0) {
        order_refuse(order, "reason", _("Say why: the reason is shown to the people concerned."));
    }
    order->unread += strlen(order->unread);
}

static void read_text(struct order *order, bool is_required)
{
    skip_blanks(order);
    (void)snprintf(order->reason, sizeof(order->reason), "%s", order->unread);
    if (is_required && order->reason[0] == '\0') {
        refuse_with_usage(order, _("The text is missing."));
    }
    order->unread += strlen(order->unread);
}

static bool is_number(const char *word)
{
    return word[0] != '\0' && strlen(word) < 18 && strspn(word, "0123456789") == strlen(word);
}

/* Reads a part of the order that is a single word. */
static void read_word_part(struct order *order, enum order_part part, const char *word, size_t len)
{
    if (part == PART_NUMBER_MAYBE && !is_number(word)) {
        return;
    }
    order->unread += len;
    if (part == PART_TARGET) {
        read_target(order, &order->target, word, order->command->targets);
    } else if (part == PART_OTHER) {
        read_target(order, &order->other, word, TARGET_USER);
    } else if (part == PART_TIME) {
        if (!order_parse_duration(word, &order->duration_ms)) {
            refuse_with_usage(order, _("The time is missing: 30s, 15m, 12h, 7d, 4w or perm."));
        }
    } else if (part == PART_WORD || part == PART_WORD_MAYBE) {
        (void)snprintf(order->word, sizeof(order->word), "%s", word);
    } else if (is_number(word)) {
        order->number = strtoll(word, NULL, 10);
        order->has_number = true;
    } else {
        refuse_with_usage(order, _("A number is missing."));
    }
}

static void read_order_part(struct order *order, enum order_part part)
{
    char word[STORAGE_FINGERPRINT_SIZE];
    size_t len = 0;
    read_options(order);
    if (part == PART_REASON || part == PART_REASON_MAYBE) {
        read_reason(order, part == PART_REASON);
    } else if (part == PART_TEXT || part == PART_TEXT_MAYBE) {
        read_text(order, part == PART_TEXT);
    } else if (peek_word(order, word, &len)) {
        read_word_part(order, part, word, len);
    } else if (part != PART_WORD_MAYBE && part != PART_NUMBER_MAYBE) {
        refuse_with_usage(order, _("An argument is missing."));
    }
}

/* Parses the arguments of a command into the fields of the order; false when the order is
 * refused. */
static bool order_read_arguments(struct order *order)
{
    order->unread = order->arguments;
    for (size_t i = 0; i < ORDER_PARTS_MAX && order->command->parts[i] != PART_END; i++) {
        if (order->code == NULL) {
            read_order_part(order, order->command->parts[i]);
        }
    }
    read_options(order);
    skip_blanks(order);
    if (*order->unread != '\0') {
        refuse_with_usage(order, _("There are too many words."));
    }
    return order->code == NULL;
}

#define ANSWER_MAX (PAYLOAD_MAX - 1024)

static const struct mod_command commands[] = {
#define MOD_COMMAND(name, rank, args, help, run_name, ...) {.run = mod_run_##run_name, __VA_ARGS__},
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
};

const struct message_def message_list[] = {
#define NEED(name) need_##name,
#define MESSAGE(type, peers, phases, flags, commands, ...)                                         \
    {#type, peers, phases, flags, commands, message_##type, {__VA_ARGS__ NULL}},
#include "lobby/protocol/messages.def"
    {.type = NULL},
};

/* Finds the command at the start of the line, whose arguments are the text after it. */
static bool find_command_of_line(struct order *order, const char *line)
{
    const struct mod_command_info *words = NULL;
    size_t len = strcspn(line, " ");
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        if (strncmp(words->name, line, len) == 0 && words->name[len] == '\0') {
            order->words = words;
            order->command = &commands[i];
            order->flags = commands[i].flags;
            line += len;
            line += strspn(line, " ");
            (void)snprintf(order->arguments, sizeof(order->arguments), "%s", line);
            return true;
        }
    }
    return false;
}

/* True when the order gets an audit row. No row is written when the order only asks for
 * confirmation. An order about the requester's own affairs gets a row only if it is denied. A
 * player's mistake gets none. */
static bool order_needs_audit_row(const struct order *order)
{
    bool is_own = (order->flags & MOD_OWN) != 0;
    if (order->is_refused || order->is_unfinished) {
        return false;
    }
    if (order->code == NULL) {
        return !is_own && !order->is_unchanged;
    }
    if (is_own) {
        return order_is_denied(order);
    }
    return strcmp(order->code, "confirm") != 0 &&
           (order_is_denied(order) || order->rank >= RANK_MOD);
}

/* Shortens the answer so that it fits into a message. First drops the translatable sentences, then
 * the data for programs, then the last lines. */
static void shorten_answer_to_fit(json_t *answer)
{
    static const char *const spare[] = {"say", "data"};
    json_t *lines = json_object_get(answer, "lines");
    for (size_t i = 0; i < ARRAY_LEN(spare); i++) {
        if (json_dumpb(answer, NULL, 0, JSON_COMPACT) > ANSWER_MAX) {
            (void)json_object_del(answer, spare[i]);
        }
    }
    while (json_dumpb(answer, NULL, 0, JSON_COMPACT) > ANSWER_MAX && json_array_size(lines) > 1) {
        (void)json_array_remove(lines, json_array_size(lines) - 1);
        (void)json_array_set_new(lines, json_array_size(lines) - 1, json_string("…"));
    }
}

static void answer_order(struct order *order)
{
    if (order->is_answered || order->is_refused) {
        return;
    }
    const struct request request = order_get_request(order);
    if ((order->flags & MOD_READS) != 0 && !order_needs_audit_row(order)) {
        answer_mark_request_read_only(&request);
    }
    if (order->code != NULL) {
        answer_no_with_sentence(&request, order->code, json_incref(order->why));
        return;
    }
    json_t *answer = json_pack("{s:O,s:O}", "lines", order->lines, "say", order->says);
    if (order->data != NULL) {
        (void)json_object_set(answer, "data", order->data);
    }
    shorten_answer_to_fit(answer);
    answer_ok(&request, answer);
}

/* The name of each kind of target, by the index of its bit in enum order_kind. */
static const char *const target_types[] = {"user",  "guest", "address", "key",
                                           "table", "game",  "chat"};

static const char *target_type_name(enum order_kind kind)
{
    for (size_t i = 0; i < ARRAY_LEN(target_types); i++) {
        if (kind == 1U << i) {
            return target_types[i];
        }
    }
    return "";
}

/* Returns the state as JSON text; NULL when there is no state. A text that is too long for the
 * audit log is replaced by its length. */
static char *state_to_text(const json_t *state)
{
    char *text = state == NULL ? NULL : json_dumps(state, JSON_COMPACT);
    if (text == NULL || strlen(text) < STORAGE_AUDIT_TEXT_SIZE) {
        return text;
    }
    json_t *instead = json_pack("{s:I}", "bytes", (json_int_t)strlen(text));
    free(text);
    text = json_dumps(instead, JSON_COMPACT);
    json_decref(instead);
    return text;
}

/* Returns the state without what a player wrote in a report or an appeal: its row names the case,
 * which has the words and is deleted some day, as the row never is. */
static json_t *state_without_words_of_players(json_t *state)
{
    (void)json_object_del(state, "text");
    (void)json_object_del(state, "appeal");
    return state;
}

/* Writes the audit row of an order that was carried out or refused. */
static void write_audit_row(struct order *order)
{
    const struct order_target *target = &order->target;
    char *before = state_to_text(state_without_words_of_players(order->before));
    char *after = state_to_text(state_without_words_of_players(order->after));
    bool has_words_of_player = (order->command->flags & MOD_CASE) != 0;
    char case_arguments[2 * STORAGE_FINGERPRINT_SIZE];
    (void)snprintf(case_arguments, sizeof(case_arguments), "%s%s%s", target->name,
                   order->word[0] == '\0' ? "" : " ", order->word);
    struct storage_audit row = {
        .verb = order->words->name,
        .arguments = has_words_of_player ? case_arguments : order->arguments,
        .target_type = target_type_name(target->kind),
        .target_id = target->id,
        .target_name = target->name,
        .scope = order->scope,
        .duration_ms = order->duration_ms,
        .expires_ms = order->expires_ms,
        .reason = has_words_of_player ? "" : order->reason,
        .note = has_words_of_player ? "" : order->note,
        .report = order->report,
        .table_id = target->kind == TARGET_TABLE ? target->id : order->table_id,
        .game_id = target->kind == TARGET_GAME ? target->id : order->game_id,
        .line_first = order->line_first,
        .line_last = order->line_last,
        .state_before = before,
        .state_after = after,
        .result = order->code == NULL      ? "ok"
                  : order_is_denied(order) ? "denied"
                                           : "error",
        .error = order->code,
        .reverses = order->reverses,
    };
    audit_write_action(order->house, order->conn, order->via, row);
    free(before);
    free(after);
}

static void run_order(struct order *order)
{
    const struct request request = order_get_request(order);
    const enum rank needed = order->words->rank;
    bool is_staffs = needed >= RANK_MOD && order->rank < RANK_OWNER;
    bool only_reads = (order->flags & MOD_LOOKS) != 0 && order->rank < RANK_MOD;
    if ((order->flags & MOD_OWN) == 0 && !only_reads && !audit_limit_allows_request(&request)) {
        return;
    }
    if (mod_rank_suffices(order, needed == RANK_HOST ? RANK_PLAYER : needed)) {
        if (is_staffs && !step_up_is_confirmed(&request)) {
            return; /* the request was answered before anything was done */
        }
        if (order_read_arguments(order) &&
            ((order->flags & MOD_AGAINST) == 0 || mod_may_act_on_target(order))) {
            order->command->run(order);
            tables_touch_changed(order->house);
        }
    }
    /* A refused order gets an audit row only while the rate limit of the audit log allows it. */
    if (order_needs_audit_row(order) &&
        (order->code == NULL || audit_limit_wait_s(order->house, order->conn) == 0)) {
        write_audit_row(order);
    }
    if (order->code == NULL && !order->is_refused && (order->flags & (MOD_READS | MOD_OWN)) == 0 &&
        (needed >= RANK_MOD || order->rank >= RANK_MOD)) {
        staff_notify(order->house, STORAGE_ROLE_MOD,
                     say("%p: /%s %s", say_word_argument(order->by_name), order->words->name,
                         order->arguments));
    }
    answer_order(order);
}

/* Lists the commands that the requester may use, for front ends that have no screen for these
 * commands. */
static void list_commands(struct order *order)
{
    const struct mod_command_info *words = NULL;
    order->data = json_array();
    order->flags = MOD_READS | MOD_OWN;
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        if (!mod_command_is_listed_for(words, order->rank)) {
            continue;
        }
        order_add_line(order, "%s %p · %p", words->name, say_word_argument(words->args),
                       say_word_argument(words->help));
        (void)json_array_append_new(order->data,
                                    json_pack("{s:s,s:s,s:s}", "verb", words->name, "args",
                                              words->args, "help", words->help));
    }
    answer_order(order);
}

/* Carries out a line that names a moderation command, and answers the request. `interface_name` is
 * where the line was typed, for the audit log. */
static void run_line(const struct request *request, const char *line, const char *interface_name)
{
    const struct person *person = request->conn->person;
    struct order order = {
        .house = request->house,
        .conn = request->conn,
        .request = request->id,
        .rank = person == NULL ? RANK_OWNER : rank_of_role(person->role),
        .by_name = staff_name_of_conn(request->conn),
        .by_account = person == NULL ? 0 : person->account,
        .via = interface_name,
        .lines = json_array(),
        .says = json_array(),
    };
    if (strncmp(line, "yes ", 4) == 0) {
        order.is_confirmed = true;
        line += 3 + strspn(line + 3, " ");
    }
    line += line[0] == '/';
    if (find_command_of_line(&order, line)) {
        if (disabled_allows_request(request, order.words->name)) {
            run_order(&order);
        }
    } else if (strcmp(line, "help") == 0) {
        list_commands(&order);
    } else {
        answer_no(request, "unknown", _("There is no such command: help lists them."));
    }
    json_decref(order.why);
    json_decref(order.lines);
    json_decref(order.says);
    json_decref(order.data);
    json_decref(order.before);
    json_decref(order.after);
}

void message_mod(const struct request *request)
{
    struct conn *conn = request->conn;
    const char *raw = json_read_text(request->body, "line", PAYLOAD_MAX);
    const char *via = json_read_text(request->body, "via", STORAGE_WORD_SIZE - 1);
    char line[TEXT_CLEAN_BYTES_MAX + 1];
    if (conn->person != NULL && conn->person->role == STORAGE_ROLE_PLAYER &&
        !request_is_within_rate_limit(request)) {
        return;
    }
    enum text_clean_result result = raw == NULL ? TEXT_CLEAN_EMPTY : text_clean(raw, line);
    if (result == TEXT_CLEAN_TOO_LONG) {
        answer_no(request, "too_long",
                  _("That is longer than a line may be: say it in fewer words."));
    } else if (result != TEXT_CLEAN_OK) {
        answer_no(request, "empty", _("The line is empty."));
    } else {
        const char *over = audit_interface_name(conn);
        bool is_exec = via != NULL && strcmp(via, "exec") == 0 && strcmp(over, "tui") == 0;
        run_line(request, line, is_exec ? "exec" : over);
    }
}

/* The moderation desk: one page that shows staff the open cases, the people and the latest
 * actions. */

#define REPORTS_MAX 30
#define DEEDS_MAX 20
/* how many audit rows the desk reads; most may be lookups, which the desk does not show */
#define DEEDS_LOOKED_AT 200
#define PEOPLE_MAX 200

static bool add_report_to_desk(void *context, const struct storage_report *report)
{
    struct order *order = context;
    json_t *rows = json_object_get(order->data, "reports");
    case_add_to_answer(order, report, true);
    (void)json_array_append_new(rows, case_to_json(report, true));
    return json_array_size(rows) < REPORTS_MAX;
}

/* Returns the words that staff see beside a person's name, such as ["guest", "held"]. The list is
 * empty for most people. */
static json_t *list_person_flags(const struct house *house, const struct person *person)
{
    const struct sanctioned *sanctioned = &sanctions_person_state(person)->by_staff;
    bool is_muted = false;
    for (int scope = 0; scope < MUTE_SCOPES; scope++) {
        is_muted = is_muted || sanctioned->mute_ms[scope] > house->now_ms;
    }
    const struct flag {
        bool is_set;
        const char *words;
    } flags[] = {
        {person->role != STORAGE_ROLE_PLAYER, role_display_name(person->role)},
        {person->kind == PERSON_GUEST, _("guest")},
        {person->is_held || sanctioned->is_held, _("held")},
        {sanctioned->is_warned, _("warned")},
        {is_muted || sanctions_person_state(person)->paused_ms > house->now_ms, _("muted")},
        {sanctioned->suspend_ms > house->now_ms, _("suspended")},
        {sanctioned->rankban_ms > house->now_ms, _("unrated")},
    };
    json_t *words = json_array();
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (flags[i].is_set) {
            (void)json_array_append_new(words, json_string(flags[i].words));
        }
    }
    return words;
}

static void add_people_to_desk(struct order *order)
{
    json_t *rows = json_object_get(order->data, "people");
    PERSONS_EACH(person, order->house) {
        if (json_array_size(rows) == PEOPLE_MAX) {
            return;
        }
        if (!person_is_in_house(person)) {
            continue;
        }
        char flags[128];
        json_t *words = list_person_flags(order->house, person);
        json_t *shown = say("%p", say_words_argument(json_incref(words)));
        say_write_english(shown, flags, sizeof(flags));
        bool has_flags = json_array_size(words) > 0;
        (void)json_array_append_new(rows, json_pack("{s:s,s:s,s:O*}", "name", person->name, "flags",
                                                    flags, "say", has_flags ? shown : NULL));
        if (has_flags) {
            order_add_line(order, _("here: %s (%p)"), person->name,
                           say_sentence_argument(json_incref(shown)));
        }
        json_decref(shown);
        json_decref(words);
    }
}

static bool add_action_to_desk(void *context, const struct storage_audit *row)
{
    struct order *order = context;
    json_t *rows = json_object_get(order->data, "deeds");
    bool is_look = row->state_after[0] == '\0' && row->state_before[0] == '\0' &&
                   row->reason[0] == '\0' && row->report == 0 && strcmp(row->result, "ok") == 0;
    if (is_look) {
        return true; /* commands that only read are left out: they would fill the screen */
    }
    bool is_done = strcmp(row->result, "ok") == 0;
    bool is_refused = strcmp(row->result, "denied") == 0;
    order_add_line(order,
                   is_done      ? "%p %p %s %s%s%s"
                   : is_refused ? _("%p %p %s %s%s%s (refused)")
                                : _("%p %p %s %s%s%s (failed)"),
                   say_time_argument(row->at_ms), say_word_argument(row->actor_name), row->verb,
                   row->target_name, row->reason[0] == '\0' ? "" : ": ", row->reason);
    (void)json_array_append_new(
        rows, json_pack("{s:I,s:I,s:s,s:s,s:s,s:s,s:s}", "id", (json_int_t)row->id, "at",
                        (json_int_t)row->at_ms, "actor", row->actor_name, "verb", row->verb,
                        "target", row->target_name, "reason", row->reason, "result", row->result));
    return json_array_size(rows) < DEEDS_MAX;
}

void mod_run_desk(struct order *order)
{
    const struct storage_audit_query query = {"", "", "", 0, DEEDS_LOOKED_AT};
    order->data = json_pack("{s:[],s:[],s:[]}", "reports", "people", "deeds");
    stored_or_fail(order->house, storage_reports_each(order->house->storage, STORAGE_REPORTS_OPEN,
                                                      0, add_report_to_desk, order));
    if (json_array_size(order->lines) == 0) {
        order_add_line(order, _("No report and no appeal waits."));
    }
    add_people_to_desk(order);
    stored_or_fail(order->house,
                   storage_audit_each(order->house->storage, &query, add_action_to_desk, order));
}
