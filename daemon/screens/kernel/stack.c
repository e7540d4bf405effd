#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "games/macros.h"
#include "lobby/protocol/protocol.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct screen *const screens[] = {
#define SCREEN(name) &(name),
#include "daemon/screens/kernel/screens.def"
#undef SCREEN
};

const struct screen *screen_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
        if (strcmp(screens[i]->name, name) == 0) {
            return screens[i];
        }
    }
    return NULL;
}

struct area screen_body(const struct ui *ui)
{
    return (struct area){0, 0, ui->display->rows - UI_BOTTOM_ROWS, ui->display->columns};
}

struct ui_layer *ui_top_layer(struct ui *ui)
{
    assert(ui->depth > 0);
    return &ui->stack[ui->depth - 1];
}

/* Returns the layer with that serial; NULL if its screen was closed. */
static struct ui_layer *ui_find_layer(struct ui *ui, uint32_t serial)
{
    for (int i = 0; i < ui->depth; i++) {
        if (ui->stack[i].serial == serial) {
            return &ui->stack[i];
        }
    }
    return NULL;
}

uint32_t ui_set_running_screen(struct ui *ui, uint32_t serial)
{
    uint32_t before = ui->running_serial;
    ui->running_serial = serial;
    return before;
}

/* The serial of the screen whose function is running. */
static uint32_t ui_running_screen_serial(struct ui *ui)
{
    return ui->running_serial != 0 ? ui->running_serial : ui_top_layer(ui)->serial;
}

/* Calls the `enter` function of the top screen, which was just opened or is opened again. */
static void enter_top_screen(struct ui *ui, int64_t argument)
{
    const struct ui_layer layer = *ui_top_layer(ui);
    uint32_t before = ui_set_running_screen(ui, layer.serial);
    if (layer.screen->enter != NULL) {
        layer.screen->enter(ui, layer.state, argument);
    }
    (void)ui_set_running_screen(ui, before);
}

/* The state of a screen. The state of a closed screen stays until no function of the screen can be
 * running any more. */
struct state_block {
    struct state_block *next; /* the next one of a closed screen */
    max_align_t state[];
};

static void *new_state(const struct screen *screen)
{
    struct state_block *block = must_allocate(sizeof *block + screen->state_size);
    return block->state; /* cppcheck-suppress memleak ; state owns it */
}

void ui_free_closed_screens(struct ui *ui)
{
    while (ui->closed != NULL) {
        struct state_block *block = ui->closed;
        ui->closed = block->next;
        free(block);
    }
}

static void close_top_layer(struct ui *ui)
{
    struct ui_layer layer = *ui_top_layer(ui);
    if (ui->question.is_open && ui->question.serial == layer.serial) {
        ui->question.is_open = false;
        input_set_text(&ui->input, "");
    }
    if (layer.screen->leave != NULL) {
        layer.screen->leave(ui, layer.state);
    }
    struct state_block *block = (void *)((char *)layer.state - offsetof(struct state_block, state));
    block->next = ui->closed;
    ui->closed = block;
    ui->depth--;
    /* in plain mode, prints the screen below again: the person may have forgotten it */
    if (ui->depth > 0 && layer.screen->line != NULL) {
        ui_top_layer(ui)->is_printed = false;
    }
    ui->is_dirty = true;
}

static void close_all_screens(struct ui *ui)
{
    while (ui->depth > 0) {
        close_top_layer(ui);
    }
}

/* Removes the notice if the person has seen it on the screen that is being left. A warning of the
 * house stays: the house may open a screen itself, so no key shows that the warning was read. */
static void remove_seen_notice(struct ui *ui)
{
    if (ui->is_notice_painted && !ui->is_notice_of_house) {
        ui->notice_end_ms = 0;
    }
}

static bool push_screen(struct ui *ui, const struct screen *screen, int64_t argument)
{
    if (ui->depth == UI_STACK_MAX) {
        screen_warn(ui, "%s", _("Too many screens are open: close some with q."));
        return false;
    }
    struct ui_layer layer = {
        .screen = screen, .state = new_state(screen), .serial = ++ui->last_serial};
    ui->stack[ui->depth++] = layer;
    ui->is_typing = false;
    ui->is_dirty = true;
    enter_top_screen(ui, argument);
    return true;
}

/* Returns the position of a screen on the stack; -1 if it is not open. */
static int find_stack_position(const struct ui *ui, const struct screen *screen)
{
    for (int i = 0; i < ui->depth; i++) {
        if (ui->stack[i].screen == screen) {
            return i;
        }
    }
    return -1;
}

/* Puts an open screen on top of the others, which stay open: a function of one of them may be
 * running. The lobby is always at the bottom; the screens above it close. */
static void raise_layer(struct ui *ui, int at)
{
    while (at == 0 && ui->depth > 1) {
        close_top_layer(ui);
    }
    struct ui_layer layer = ui->stack[at];
    layer.is_printed = false;
    memmove(&ui->stack[at], &ui->stack[at + 1], (size_t)(ui->depth - 1 - at) * sizeof layer);
    ui->stack[ui->depth - 1] = layer;
    ui->is_dirty = true;
}

static bool open_named_screen(struct ui *ui, const char *name, int64_t argument)
{
    const struct screen *screen = screen_find(name);
    if (screen == NULL) {
        screen_warn(ui, _("There is no screen \"%s\" in this house."), name);
        return false;
    }
    int at = find_stack_position(ui, screen);
    remove_seen_notice(ui);
    if (at < 0) {
        return push_screen(ui, screen, argument);
    }
    raise_layer(ui, at);
    enter_top_screen(ui, argument);
    return true;
}

bool screen_open(struct ui *ui, const char *name, int64_t argument)
{
    ui->about[0] = '\0';
    return open_named_screen(ui, name, argument);
}

bool screen_open_about_person(struct ui *ui, const char *screen_name, const char *person_name)
{
    snprintf(ui->about, sizeof ui->about, "%s", person_name);
    return open_named_screen(ui, screen_name, 0);
}

void screen_close(struct ui *ui)
{
    if (ui->depth > 1) {
        remove_seen_notice(ui);
        close_top_layer(ui);
    }
}

void screen_return_to_lobby(struct ui *ui)
{
    remove_seen_notice(ui);
    while (ui->depth > 1) {
        close_top_layer(ui);
    }
    const struct screen *lobby = screen_find("lobby");
    if (ui->depth == 0 || ui->stack[0].screen != lobby) {
        close_all_screens(ui);
        push_screen(ui, lobby, 0);
    }
}

const char *screen_name_below_top(const struct ui *ui)
{
    return ui->depth > 1 ? ui->stack[ui->depth - 2].screen->name : "";
}

void *screen_find_state(struct ui *ui, const char *name)
{
    int at = find_stack_position(ui, screen_find(name));
    return at >= 0 ? ui->stack[at].state : NULL;
}

void screen_print_top_again(struct ui *ui)
{
    ui_top_layer(ui)->is_printed = false;
}

int screen_current_channel(const struct ui *ui)
{
    bool is_there = ui->room >= CHAT_ROOM && ui->model->rooms[ui->room - CHAT_ROOM][0] != '\0';
    return is_there ? ui->room : CHAT_LOBBY;
}

const char *screen_chat_recipient(const struct ui *ui)
{
    int room = screen_current_channel(ui);
    return ui->model->entered != NULL ? "table"
           : room == CHAT_LOBBY       ? "lobby"
                                      : model_channel_name(ui->model, room);
}

void screen_show_channel(struct ui *ui, int channel)
{
    ui->room = (uint8_t)channel;
    ui->room_news = (uint16_t)(ui->room_news & ~(1U << channel));
    ui->is_dirty = true;
}

void ui_answer_question(struct ui *ui, const char *text)
{
    if (!ui->question.is_open) {
        return;
    }
    struct ui_question question = ui->question;
    char answer[INPUT_MAX] = "";
    if (text != NULL) {
        snprintf(answer, sizeof answer, "%s", text);
    }
    ui->question.is_open = false;
    explicit_bzero(ui->input.text, sizeof ui->input.text); /* the text may have been a password */
    input_set_text(&ui->input, "");
    ui->is_typing = false;
    struct ui_layer *layer = ui_find_layer(ui, question.serial);
    if (layer != NULL) {
        uint32_t before = ui_set_running_screen(ui, question.serial);
        question.reply(ui, layer->state, text != NULL ? answer : NULL);
        (void)ui_set_running_screen(ui, before);
    }
    explicit_bzero(answer, sizeof answer);
}

void screen_ask(struct ui *ui, enum ask_kind kind, const char *question, const char *initial_text,
                screen_reply *reply)
{
    ui_answer_question(ui, NULL);
    ui->question = (struct ui_question){
        .is_open = true, .kind = kind, .reply = reply, .serial = ui_running_screen_serial(ui)};
    snprintf(ui->question.text, sizeof ui->question.text, "%s", question);
    input_set_text(&ui->input, initial_text != NULL ? initial_text : "");
    ui->notice_end_ms = 0;
    ui->is_dirty = true;
    if (ui->plain.is_on && kind != ASK_KEYS) {
        ui_plain_print_question(ui);
    }
}

void screen_ask_for_key(struct ui *ui, const char *question, const struct ask_key *keys,
                        screen_reply *reply)
{
    screen_ask(ui, ASK_KEYS, question, NULL, reply);
    ui->question.keys = keys;
    if (ui->plain.is_on) {
        ui_plain_print_question(ui);
    }
}

bool screen_may_ask(const struct ui *ui)
{
    return !ui->question.is_open && !ui->is_typing && ui->input.text[0] == '\0';
}

void screen_close_question(struct ui *ui, screen_reply *reply)
{
    if (ui->question.is_open && ui->question.reply == reply) {
        ui_answer_question(ui, NULL);
        ui->is_dirty = true;
    }
}

bool ui_answer_question_by_key(struct ui *ui, const char *text)
{
    for (const struct ask_key *key = ui->question.keys; key->key != NULL; key++) {
        if (strcasecmp(text, key->key) == 0) {
            ui_answer_question(ui, key->key);
            return true;
        }
    }
    return false;
}

static void quit_if_confirmed(struct ui *ui, UNUSED void *state, const char *answer)
{
    ui->is_done = ui->is_done || answer != NULL;
}

/* Asks before leaving a running game that needs the person; false if there is none. */
static bool ask_before_leaving_game(struct ui *ui)
{
    for (int i = 0; i < ui->model->mine_count; i++) {
        const struct mine_row *mine = &ui->model->mine[i];
        if (mine->is_live && (mine->halt == HALT_NONE || mine->halt == HALT_ROUND)) {
            char question[UI_QUESTION_MAX];
            snprintf(
                question, sizeof question,
                ui->model->you.kind == PERSON_GUEST
                    ? _("Your game at #%lld goes on without you: a guest cannot come back. Quit?")
                    : _("Your game at #%lld goes on without you for now. Quit?"),
                (long long)mine->table);
            screen_ask(ui, ASK_YES, question, NULL, quit_if_confirmed);
            return true;
        }
    }
    return false;
}

void screen_quit_house(struct ui *ui)
{
    ui->is_done = ui->is_done || !ask_before_leaving_game(ui);
}

void screen_ask_before_quitting(struct ui *ui)
{
    bool is_again = ui->question.is_open && ui->question.reply == quit_if_confirmed;
    if (is_again || ui->model->you.name[0] == '\0') {
        ui->is_done = true;
    } else if (!ask_before_leaving_game(ui)) {
        screen_ask(ui, ASK_YES, _("Leave the house?"), NULL, quit_if_confirmed);
    }
}

bool ui_question_is_yes_or_no(const struct ui *ui)
{
    return ui->question.is_open && (ui->question.kind == ASK_YES || ui->question.kind == ASK_SURE);
}

static const char *read_refusal_code(bool is_ok, const json_t *answer)
{
    const char *code = is_ok ? NULL : json_string_value(json_object_get(answer, "code"));
    return code != NULL ? code : "";
}

/* Passes an answer to the screen that sent the request, and releases the reference to
 * request->fields. */
static void ui_deliver_answer(struct ui *ui, const struct ui_request *request, bool is_ok,
                              const json_t *json)
{
    const struct ui_layer *layer = ui_find_layer(ui, request->serial);
    const struct ui_answer answer = {.state = layer != NULL ? layer->state : NULL,
                                     .tag = request->tag,
                                     .is_ok = is_ok,
                                     .code = read_refusal_code(is_ok, json),
                                     .json = json};
    bool has_receiver = request->answer != NULL && (layer != NULL || request->serial == 0);
    uint32_t before = ui_set_running_screen(ui, request->serial);
    json_decref(request->fields);
    if (has_receiver && (is_ok || !request->is_for_success)) {
        request->answer(ui, &answer);
    } else if (!is_ok) {
        screen_warn_of_refusal(ui, &answer);
    } else if (request->notice != NULL) {
        screen_inform(ui, "%s", _(request->notice));
    }
    (void)ui_set_running_screen(ui, before);
}

static void retry_when_confirmed(struct ui *ui, const struct ui_request *refused_request,
                                 const json_t *answer);

static void handle_arrived_answer(void *context, bool is_ok, const json_t *answer)
{
    struct ui_request request = *(struct ui_request *)context;
    struct ui *ui = request.ui;
    *(struct ui_request *)context = (struct ui_request){0};
    ui->is_dirty = true;
    ui->is_urgent = true;
    if (strcmp(read_refusal_code(is_ok, answer), "step_up") == 0) {
        retry_when_confirmed(ui, &request, answer);
    } else {
        ui_deliver_answer(ui, &request, is_ok, answer);
    }
    ui_plain_carry_out_lines(ui);
}

/* Sends the request that `wanted` describes. Takes over the caller's reference to
 * wanted->fields. */
static void ui_send_request(struct ui *ui, const struct ui_request *wanted)
{
    struct ui_request *request = NULL;
    for (int i = 0; i < UI_REQUESTS_MAX && request == NULL; i++) {
        request = ui->requests[i].ui == NULL ? &ui->requests[i] : NULL;
    }
    if (request != NULL) {
        *request = *wanted;
        request->ui = ui;
        request->sent_ms = ui->now_ms;
        if (client_send_request(ui->setup.client, wanted->type, json_incref(wanted->fields),
                                handle_arrived_answer, request)) {
            return;
        }
        *request = (struct ui_request){0};
    }
    json_decref(wanted->fields);
    screen_warn(ui, "%s", _("The house has not answered yet: wait a moment and try again."));
}

void screen_send_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                         int64_t tag)
{
    ui_send_request(ui, &(struct ui_request){.serial = ui_running_screen_serial(ui),
                                             .type = type,
                                             .fields = fields,
                                             .answer = answer,
                                             .tag = tag});
}

void screen_send_and_handle_success(struct ui *ui, const char *type, json_t *fields,
                                    screen_answer *answer, int64_t tag)
{
    ui_send_request(ui, &(struct ui_request){.serial = ui_running_screen_serial(ui),
                                             .type = type,
                                             .fields = fields,
                                             .answer = answer,
                                             .is_for_success = true,
                                             .tag = tag});
}

void screen_send_and_show_notice(struct ui *ui, const char *type, json_t *fields,
                                 const char *notice)
{
    ui_send_request(ui, &(struct ui_request){.serial = ui_running_screen_serial(ui),
                                             .type = type,
                                             .fields = fields,
                                             .notice = notice});
}

void ui_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer, int64_t tag)
{
    ui_send_request(
        ui, &(struct ui_request){.type = type, .fields = fields, .answer = answer, .tag = tag});
}

int64_t ui_get_oldest_request_sent_at_ms(const struct ui *ui, uint32_t serial)
{
    int64_t since = INT64_MAX;
    for (const struct ui_request *request = ui->requests; request < ui->requests + UI_REQUESTS_MAX;
         request++) {
        bool is_meant = request->ui != NULL && (serial == 0 || request->serial == serial);
        since = is_meant && request->sent_ms < since ? request->sent_ms : since;
    }
    return since;
}

static void send_if_sure(struct ui *ui, UNUSED void *state, const char *answer)
{
    struct ui_request request = ui->asked_first;
    ui->asked_first = (struct ui_request){0};
    if (answer != NULL) {
        ui_send_request(ui, &request);
    } else {
        json_decref(request.fields);
    }
}

void screen_ask_and_send(struct ui *ui, const char *question, const struct ui_request *request)
{
    screen_ask(ui, ASK_SURE, question, NULL, send_if_sure);
    json_decref(ui->asked_first.fields); /* of a question whose screen was closed */
    ui->asked_first = *request;
    ui->asked_first.serial = ui_running_screen_serial(ui);
}

/*
 * Confirmation of the person's identity (PROTOCOL.md, step_up). The core may refuse any request
 * until the identity is confirmed. The kernel then asks for it and sends the request again:
 *
 *     request ──`step_up`──▶ question ──▶ step_up ──ok──▶ the request again
 *                               ▲            │
 *                               └──denied────┘     Esc: the refusal is shown
 */

static void ask_for_password_or_code(struct ui *ui);

static void forget_unconfirmed_request(struct ui *ui)
{
    json_decref(ui->unconfirmed.fields);
    ui->unconfirmed = (struct ui_request){0};
}

static bool is_confirmation_pending(const struct ui *ui)
{
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        if (ui->requests[i].ui != NULL && strcmp(ui->requests[i].type, "step_up") == 0) {
            return true;
        }
    }
    return false;
}

static void handle_confirmation_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct ui_request again = ui->unconfirmed;
    if (answer->is_ok && again.type != NULL) {
        ui->unconfirmed = (struct ui_request){0};
        ui_send_request(ui, &again);
    } else if (answer->is_ok) {
        long long minutes =
            (model_read_number(json_object_get(answer->json, "for_s"), 0) + 59) / 60;
        screen_inform(ui,
                      ngettext("Confirmed, for %lld minute.", "Confirmed, for %lld minutes.",
                               (unsigned long)minutes),
                      minutes);
    } else if (strcmp(answer->code, "denied") == 0 || strcmp(answer->code, "wait") == 0) {
        ask_for_password_or_code(ui);
        screen_warn_of_refusal(ui, answer);
    } else {
        forget_unconfirmed_request(ui);
        screen_warn_of_refusal(ui, answer);
    }
}

static void cancel_unconfirmed_request(struct ui *ui)
{
    struct ui_request request = ui->unconfirmed;
    ui->unconfirmed = (struct ui_request){0};
    if (request.type != NULL) {
        json_t *answer = json_pack("{s:s, s:s}", "code", "step_up", "why",
                                   _("Not confirmed: nothing was done."));
        ui_deliver_answer(ui, &request, false, answer);
        json_decref(answer);
    }
}

bool confirm_parse_authenticator_code(const char *text, char code[CONFIRM_CODE_SIZE])
{
    size_t len = 0;
    for (; *text != '\0'; text++) {
        bool is_digit = *text >= '0' && *text <= '9';
        if (*text != ' ' && (!is_digit || len + 1 == CONFIRM_CODE_SIZE)) {
            return false;
        }
        if (is_digit) {
            code[len++] = *text;
        }
    }
    code[len] = '\0';
    return len + 1 == CONFIRM_CODE_SIZE;
}

static void send_confirmation(struct ui *ui, UNUSED void *state, const char *password_or_code)
{
    char code[CONFIRM_CODE_SIZE];
    if (password_or_code == NULL || password_or_code[0] == '\0') {
        cancel_unconfirmed_request(ui);
        return;
    }
    bool is_code =
        ui->model->you.has_totp && confirm_parse_authenticator_code(password_or_code, code);
    ui_request(ui, "step_up",
               is_code ? json_pack("{s:s}", "totp", code)
                       : json_pack("{s:s}", "password", password_or_code),
               handle_confirmation_answer, 0);
}

static void ask_for_password_or_code(struct ui *ui)
{
    const struct you_row *you = &ui->model->you;
    const char *question = !you->has_totp      ? _("Confirm it is you. Your password:")
                           : you->has_password ? _("Confirm it is you. Password or code:")
                                               : _("Confirm it is you. Your code:");
    screen_ask(ui, ASK_SECRET, question, NULL, send_confirmation);
}

/* Handles a request that was refused because the person must confirm their identity first. Asks for
 * the password or code, then sends the request again. Takes over the request's fields. */
static void retry_when_confirmed(struct ui *ui, const struct ui_request *refused_request,
                                 const json_t *answer)
{
    bool is_asked = ui->question.is_open && ui->question.reply == send_confirmation;
    if (is_asked || is_confirmation_pending(ui)) {
        json_decref(refused_request->fields);
        screen_warn_of_refusal(ui, &(struct ui_answer){.json = answer});
        return;
    }
    ask_for_password_or_code(ui);
    forget_unconfirmed_request(ui); /* drops an earlier refused request: its screen was closed,
                                          and with it the unanswered question */
    ui->unconfirmed = *refused_request;
}

void screen_ask_to_confirm_identity(struct ui *ui)
{
    const struct you_row *you = &ui->model->you;
    if (ui->setup.is_telnet) {
        screen_warn(ui, "%s",
                    _("You cannot confirm by telnet, where others can read your password: connect "
                      "by ssh."));
    } else if (!you->has_password && !you->has_totp) {
        screen_warn(ui, "%s",
                    _("You have no way to confirm it is you: set a /password or type /totp on."));
    } else {
        ask_for_password_or_code(ui);
        forget_unconfirmed_request(ui);
    }
}

void ui_clear_stack(struct ui *ui)
{
    close_all_screens(ui);
    ui_free_closed_screens(ui);
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        json_decref(ui->requests[i].fields);
    }
    forget_unconfirmed_request(ui);
    json_decref(ui->asked_first.fields);
}
