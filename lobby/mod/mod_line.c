#include "lobby/mod/mod_line.h"

#include "lobby/house/answers.h"
#include "lobby/house/messages.h"
#include "lobby/house/say.h"
#include "lobby/mod/order_read.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/audit.h"
#include "lobby/sanctions/audit_pace.h"
#include "lobby/sanctions/disabled.h"
#include "lobby/sanctions/staff.h"
#include "lobby/sanctions/step_up.h"
#include "lobby/tables/table_requests.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_MAX (PAYLOAD_MAX - 1024)

static const struct mod_command *const commands[] = {
#define MOD_COMMAND(name, rank, args, help) &mod_command_##name,
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
};

/* Finds the command at the start of the line; *rest is then the text after it. */
static bool find_command_of_line(struct order *order, const char **rest)
{
    const struct mod_command_words *words = NULL;
    size_t len = strcspn(*rest, " ");
    for (size_t i = 0; (words = mod_command_words_at(i)) != NULL; i++) {
        if (strncmp(words->name, *rest, len) == 0 && words->name[len] == '\0') {
            order->words = words;
            order->command = commands[i];
            order->flags = commands[i]->flags;
            *rest += len;
            *rest += strspn(*rest, " ");
            (void)snprintf(order->arguments, sizeof(order->arguments), "%s", *rest);
            return true;
        }
    }
    return false;
}

static enum rank rank_of_conn(const struct conn *conn)
{
    return conn->person == NULL ? RANK_OWNER : rank_of_role(conn->person->role);
}

static const char *rank_refusal_text(enum rank rank)
{
    return rank == RANK_MOD ? _("Only moderators may do that: ask one of them.")
                            : _("Only admins may do that: ask one of them.");
}

bool mod_may_act_on_target(struct order *order)
{
    const struct order_target *target = &order->target;
    if (target->kind != TARGET_USER && target->kind != TARGET_GUEST) {
        return true;
    }
    enum rank rank = rank_of_role(target->account.role);
    if (strcmp(target->name, order_requester_name(order)) == 0) {
        order_refuse(order, "self", "%s", _("That is you: you cannot do that to yourself."));
    } else if (rank >= RANK_MOD && rank >= order->rank) {
        order_refuse(order, "role",
                     _("%s has the same rights as you, or more: ask somebody above."),
                     target->name);
    }
    return order->code == NULL;
}

/* Checks the rank alone, before the confirmation: somebody who is refused is not asked to
 * confirm. */
static bool check_rank(struct order *order)
{
    enum rank rank = order->words->rank == RANK_HOST ? RANK_PLAYER : order->words->rank;
    if (order->rank >= rank) {
        return true;
    }
    order_refuse(order, "role", "%s", rank_refusal_text(rank));
    return false;
}

bool mod_require_rank(struct order *order, enum rank rank)
{
    if (order->rank < rank) {
        order_refuse(order, "role", "%s", rank_refusal_text(rank));
        return false;
    }
    if (order->rank == RANK_OWNER || order->words->rank >= RANK_MOD) {
        return true; /* confirmed before the command ran */
    }
    order->is_refused = !step_up_is_confirmed(order->request);
    return !order->is_refused;
}

/* Tells staff in the house which command was given, and by whom. */
static void notify_staff_of_order(struct order *order)
{
    if (order->words->rank < RANK_MOD && order->rank < RANK_MOD) {
        return;
    }
    staff_notify(
        order->house, STORAGE_ROLE_MOD,
        say("%p: /%s %s", order_requester_word(order), order->words->name, order->arguments));
}

/* True when the order gets an audit row. These get none: a question for confirmation, an order on
 * the requester's own affairs unless it is denied, and players' mistakes. */
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

/* Shortens the answer so that it fits into a message. Drops the sentences to translate first, then
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
    if ((order->flags & MOD_READS) != 0 && !order_needs_audit_row(order)) {
        answer_mark_repeatable(order->request);
    }
    if (order->code != NULL) {
        answer_no_sentence(order->request, order->code, json_incref(order->why));
        return;
    }
    json_t *answer = json_pack("{s:O,s:O}", "lines", order->lines, "say", order->says);
    if (order->is_old) {
        (void)json_object_update(answer, order->data);
    } else if (order->data != NULL) {
        (void)json_object_set(answer, "data", order->data);
    }
    shorten_answer_to_fit(answer);
    answer_ok(order->request, answer);
}

/* True when there is room for an audit row, if the order may cause one; else the request is
 * answered. */
static bool audit_limit_allows_order(struct order *order)
{
    bool only_looks = (order->flags & MOD_LOOKS) != 0 && order->rank < RANK_MOD;
    return (order->flags & MOD_OWN) != 0 || only_looks || audit_pace_allows_request(order->request);
}

/* Writes the audit row. A refused order gets one only while there is room. */
static void write_audit_row(struct order *order)
{
    if (order_needs_audit_row(order) &&
        (order->code == NULL || audit_pace_allows_row(order->house, order->conn))) {
        audit_write_order(order);
    }
}

static void run_order(struct order *order, const char *rest)
{
    bool is_staffs = order->words->rank >= RANK_MOD && order->rank < RANK_OWNER;
    if (!audit_limit_allows_order(order)) {
        return;
    }
    if (check_rank(order)) {
        if (is_staffs && !step_up_is_confirmed(order->request)) {
            return; /* the request is answered; nothing was done */
        }
        if (order_read_arguments(order, rest) &&
            ((order->flags & MOD_AGAINST) == 0 || mod_may_act_on_target(order))) {
            order->command->run(order);
        }
    }
    write_audit_row(order);
    if (order->code == NULL && !order->is_refused && (order->flags & (MOD_READS | MOD_OWN)) == 0) {
        notify_staff_of_order(order);
    }
    answer_order(order);
}

/* Lists the commands that the requester may use, for front ends without a screen for them. */
static void list_commands(struct order *order)
{
    const struct mod_command_words *words = NULL;
    order->data = json_array();
    order->flags = MOD_READS | MOD_OWN;
    for (size_t i = 0; (words = mod_command_words_at(i)) != NULL; i++) {
        if (!mod_command_is_listed_for(words, order->rank)) {
            continue;
        }
        order_add_line(order, "%s %p · %p", words->name, say_translated(words->args),
                       say_translated(words->help));
        (void)json_array_append_new(order->data,
                                    json_pack("{s:s,s:s,s:s}", "verb", words->name, "args",
                                              words->args, "help", words->help));
    }
    answer_order(order);
}

static bool starts_with_word(const char *line, const char *word)
{
    size_t len = strlen(word);
    return strncmp(line, word, len) == 0 && line[len] == ' ';
}

void mod_run_line(const struct request *request, const char *line, const char *via, bool is_old)
{
    struct order order = {
        .house = request->house,
        .conn = request->conn,
        .request = request,
        .rank = rank_of_conn(request->conn),
        .via = via,
        .is_old = is_old,
        .lines = json_array(),
        .says = json_array(),
    };
    if (starts_with_word(line, "yes")) {
        order.is_confirmed = true;
        line += 3 + strspn(line + 3, " ");
    }
    line += line[0] == '/';
    if (find_command_of_line(&order, &line)) {
        if (disabled_allows_request(request, order.words->name)) {
            run_order(&order, line);
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

static void message_mod(const struct request *request)
{
    struct conn *conn = request->conn;
    const char *raw = json_read_text(request->body, "line", PAYLOAD_MAX);
    const char *via = json_read_text(request->body, "via", STORAGE_WORD_SIZE - 1);
    char line[TEXT_CLEAN_BYTES_MAX + 1];
    if (conn->person != NULL && conn->person->role == STORAGE_ROLE_PLAYER &&
        !request_is_within_rate(request)) {
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
        mod_run_line(request, line, is_exec ? "exec" : over, false);
    }
}

const struct message_handler handler_mod = {message_mod};
