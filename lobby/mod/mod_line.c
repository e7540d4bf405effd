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

/* Finds the command the line starts with; *rest is what follows it. */
static bool mod_find(struct order *order, const char **rest)
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

static enum rank mod_rank(const struct conn *conn)
{
    return conn->person == NULL ? RANK_OWNER : rank_of_role(conn->person->role);
}

static const char *mod_rank_why(enum rank rank)
{
    return rank == RANK_MOD ? _("Only moderators may do that: ask one of them.")
                            : _("Only admins may do that: ask one of them.");
}

/* True when the requester may act against the target: not themselves, an equal or a superior. */
bool mod_may_act(struct order *order)
{
    const struct order_target *target = &order->target;
    if (target->kind != TARGET_USER && target->kind != TARGET_GUEST) {
        return true;
    }
    enum rank rank = rank_of_role(target->account.role);
    if (strcmp(target->name, order_actor(order)) == 0) {
        order_no(order, "self", "%s", _("That is you: nobody does that to themselves."));
    } else if (rank >= RANK_MOD && rank >= order->rank) {
        order_no(order, "role", _("%s has the same rights as you, or more: ask somebody above."),
                 target->name);
    }
    return order->code == NULL;
}

/* Checks only the rank, without confirmation, so that a refusal asks for none. */
static bool mod_admits(struct order *order)
{
    enum rank rank = order->words->rank == RANK_HOST ? RANK_PLAYER : order->words->rank;
    if (order->rank >= rank) {
        return true;
    }
    order_no(order, "role", "%s", mod_rank_why(rank));
    return false;
}

bool mod_needs(struct order *order, enum rank rank)
{
    if (order->rank < rank) {
        order_no(order, "role", "%s", mod_rank_why(rank));
        return false;
    }
    if (order->rank == RANK_OWNER || order->words->rank >= RANK_MOD) {
        return true; /* checked before the command ran */
    }
    order->is_refused = !step_up_holds(order->request);
    return !order->is_refused;
}

/* Shows staff in the house what other staff do, as it happens. */
static void mod_tell_staff(struct order *order)
{
    if (order->words->rank < RANK_MOD && order->rank < RANK_MOD) {
        return;
    }
    staff_tell(order->house, STORAGE_ROLE_MOD,
               say("%p: /%s %s", order_by(order), order->words->name, order->arguments));
}

/* True when the order gets an audit row. A question to confirm gets none, nor does an action on the
 * requester's own affairs unless it is denied, nor do players' mistakes. */
static bool mod_is_deed(const struct order *order)
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

/* Makes the answer fit into a message: drops what translates the lines first, then the data for
 * programs, then the last lines. */
static void mod_fit(json_t *answer)
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

static void mod_answer(struct order *order)
{
    if (order->is_answered || order->is_refused) {
        return;
    }
    if ((order->flags & MOD_READS) != 0 && !mod_is_deed(order)) {
        answer_is_look(order->request);
    }
    if (order->code != NULL) {
        answer_no_said(order->request, order->code, json_incref(order->why));
        return;
    }
    json_t *answer = json_pack("{s:O,s:O}", "lines", order->lines, "say", order->says);
    if (order->is_old) {
        (void)json_object_update(answer, order->data);
    } else if (order->data != NULL) {
        (void)json_object_set(answer, "data", order->data);
    }
    mod_fit(answer);
    answer_ok(order->request, answer);
}

/* True when there is room for the audit row that this order may cause; else the request is
 * answered. */
static bool mod_is_in_pace(struct order *order)
{
    bool only_looks = (order->flags & MOD_LOOKS) != 0 && order->rank < RANK_MOD;
    return (order->flags & MOD_OWN) != 0 || only_looks || audit_pace_admits(order->request);
}

/* A successful order always gets its row; a refused one only while there is room. */
static void mod_write_down(struct order *order)
{
    if (mod_is_deed(order) &&
        (order->code == NULL || audit_pace_has_room(order->house, order->conn))) {
        audit_order(order);
    }
}

static void mod_run(struct order *order, const char *rest)
{
    bool is_staffs = order->words->rank >= RANK_MOD && order->rank < RANK_OWNER;
    if (!mod_is_in_pace(order)) {
        return;
    }
    if (mod_admits(order)) {
        if (is_staffs && !step_up_holds(order->request)) {
            return; /* answered already; nothing was done */
        }
        if (order_read(order, rest) && ((order->flags & MOD_AGAINST) == 0 || mod_may_act(order))) {
            order->command->run(order);
        }
    }
    mod_write_down(order);
    if (order->code == NULL && !order->is_refused && (order->flags & (MOD_READS | MOD_OWN)) == 0) {
        mod_tell_staff(order);
    }
    mod_answer(order);
}

/* Lists the commands the requester may use, for front ends without a screen for it. */
static void mod_help(struct order *order)
{
    const struct mod_command_words *words = NULL;
    order->data = json_array();
    order->flags = MOD_READS | MOD_OWN;
    for (size_t i = 0; (words = mod_command_words_at(i)) != NULL; i++) {
        if (!mod_command_is_for(words, order->rank)) {
            continue;
        }
        order_say(order, "%s %p · %p", words->name, say_word(words->args), say_word(words->help));
        (void)json_array_append_new(order->data,
                                    json_pack("{s:s,s:s,s:s}", "verb", words->name, "args",
                                              words->args, "help", words->help));
    }
    mod_answer(order);
}

static bool starts_with_word(const char *line, const char *word)
{
    size_t len = strlen(word);
    return strncmp(line, word, len) == 0 && line[len] == ' ';
}

void mod_line(const struct request *request, const char *line, const char *via, bool is_old)
{
    struct order order = {
        .house = request->house,
        .conn = request->conn,
        .request = request,
        .rank = mod_rank(request->conn),
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
    if (mod_find(&order, &line)) {
        if (disabled_admits(request, order.words->name)) {
            mod_run(&order, line);
        }
    } else if (strcmp(line, "help") == 0) {
        mod_help(&order);
    } else {
        answer_no(request, "unknown", _("There is no such thing to do: help lists what there is."));
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
        !request_is_calm(request)) {
        return;
    }
    enum text_clean_result result = raw == NULL ? TEXT_CLEAN_EMPTY : text_clean(raw, line);
    if (result == TEXT_CLEAN_TOO_LONG) {
        answer_no(request, "too_long",
                  _("That is longer than a line may be: say it in fewer words."));
    } else if (result != TEXT_CLEAN_OK) {
        answer_no(request, "empty", _("There is nothing to do in that."));
    } else {
        const char *over = audit_via(conn);
        bool is_exec = via != NULL && strcmp(via, "exec") == 0 && strcmp(over, "tui") == 0;
        mod_line(request, line, is_exec ? "exec" : over, false);
    }
}

const struct message_handler handler_mod = {message_mod};
