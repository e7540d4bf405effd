#include "lobby/accounts/accounts.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/mod/mod.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/mod/mod.h"
#include "storage/people/people.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_MAX (PAYLOAD_MAX - 1024)

static const struct mod_command commands[] = {
#define MOD_COMMAND(name, rank, args, help, run_name, ...) {.run = mod_run_##run_name, __VA_ARGS__},
#include "lobby/house/words.h"
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
};

/* Finds the command at the start of the line; *rest is then the text after it. */
static bool find_command_of_line(struct order *order, const char **rest)
{
    const struct mod_command_info *words = NULL;
    size_t len = strcspn(*rest, " ");
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        if (strncmp(words->name, *rest, len) == 0 && words->name[len] == '\0') {
            order->words = words;
            order->command = &commands[i];
            order->flags = commands[i].flags;
            *rest += len;
            *rest += strspn(*rest, " ");
            (void)snprintf(order->arguments, sizeof(order->arguments), "%s", *rest);
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

static void run_order(struct order *order, const char *arguments)
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
        if (order_read_arguments(order, arguments) &&
            ((order->flags & MOD_AGAINST) == 0 || mod_may_act_on_target(order))) {
            order->command->run(order);
        }
    }
    /* A refused order gets an audit row only while the rate limit of the audit log allows it. */
    if (order_needs_audit_row(order) &&
        (order->code == NULL || audit_limit_allows_row(order->house, order->conn))) {
        audit_write_order(order);
    }
    if (order->code == NULL && !order->is_refused && (order->flags & (MOD_READS | MOD_OWN)) == 0 &&
        (needed >= RANK_MOD || order->rank >= RANK_MOD)) {
        staff_notify(order->house, STORAGE_ROLE_MOD,
                     say("%p: /%s %s", order_requester_sentence_argument(order), order->words->name,
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
        .via = interface_name,
        .lines = json_array(),
        .says = json_array(),
    };
    if (strncmp(line, "yes ", 4) == 0) {
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

const struct message_handler handler_mod = {message_mod};
