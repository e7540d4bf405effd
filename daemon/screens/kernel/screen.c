#include "daemon/screens/kernel/screen.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/command.h"
#include "daemon/screens/kernel/ui_state.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct screen *const screens[] = {
#define SCREEN(name) &(name),
#include "daemon/screens/kernel/screens.def"
#undef SCREEN
};

const struct screen *screen_at(size_t index)
{
    return index < ARRAY_LEN(screens) ? screens[index] : NULL;
}

const struct screen *screen_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
        if (strcmp(screens[i]->name, name) == 0) {
            return screens[i];
        }
    }
    return NULL;
}

struct ui_layer *ui_layer_top(struct ui *ui)
{
    assert(ui->depth > 0);
    return &ui->stack[ui->depth - 1];
}

uint32_t ui_act_as(struct ui *ui, uint32_t serial)
{
    uint32_t before = ui->acting_serial;
    ui->acting_serial = serial;
    return before;
}

static uint32_t acting_serial(struct ui *ui)
{
    return ui->acting_serial != 0 ? ui->acting_serial : ui_layer_top(ui)->serial;
}

/* The screen's first function, or its first again: the screen is on top. */
static void layer_enter(struct ui *ui, int64_t argument)
{
    const struct ui_layer layer = *ui_layer_top(ui);
    uint32_t before = ui_act_as(ui, layer.serial);
    if (layer.screen->enter != NULL) {
        layer.screen->enter(ui, layer.state, argument);
    }
    (void)ui_act_as(ui, before);
}

static void layer_drop(struct ui *ui)
{
    struct ui_layer layer = *ui_layer_top(ui);
    if (ui->question.is_open && ui->question.serial == layer.serial) {
        ui->question.is_open = false;
        input_set(&ui->input, "");
    }
    if (layer.screen->leave != NULL) {
        layer.screen->leave(ui, layer.state);
    }
    free(layer.state);
    ui->depth--;
    if (ui->depth > 0 && layer.screen->line != NULL) { /* one has been away for a while */
        ui_layer_top(ui)->is_told = false;
    }
    ui->is_dirty = true;
}

void ui_stack_clear(struct ui *ui)
{
    while (ui->depth > 0) {
        layer_drop(ui);
    }
}

/* What was said on one screen means nothing on the next; what was said on the way there does. */
static void notice_leave(struct ui *ui)
{
    if (ui->is_notice_painted) {
        ui->notice_end_ms = 0;
    }
}

static bool layer_push(struct ui *ui, const struct screen *screen, int64_t argument)
{
    if (ui->depth == UI_STACK_MAX) {
        screen_warn(ui, "%s", _("Too many screens are open: close some with q."));
        return false;
    }
    struct ui_layer layer = {.screen = screen, .serial = ++ui->last_serial};
    layer.state = calloc(1, screen->state_size > 0 ? screen->state_size : 1);
    if (layer.state == NULL) {
        return false;
    }
    ui->stack[ui->depth++] = layer;
    ui->is_typing = false;
    ui->is_dirty = true;
    layer_enter(ui, argument);
    return true;
}

/* Where the screen stands on the stack, -1 when it does not. */
static int depth_of(const struct ui *ui, const struct screen *screen)
{
    for (int i = 0; i < ui->depth; i++) {
        if (ui->stack[i].screen == screen) {
            return i;
        }
    }
    return -1;
}

static bool open_screen(struct ui *ui, const char *name, int64_t argument)
{
    const struct screen *screen = screen_find(name);
    if (screen == NULL) {
        screen_warn(ui, _("There is no screen \"%s\" in this house."), name);
        return false;
    }
    int at = depth_of(ui, screen);
    notice_leave(ui);
    if (at < 0) {
        return layer_push(ui, screen, argument);
    }
    while (ui->depth > at + 1) {
        layer_drop(ui);
    }
    ui->stack[at].is_told = false;
    layer_enter(ui, argument);
    return true;
}

bool screen_open(struct ui *ui, const char *name, int64_t argument)
{
    ui->about[0] = '\0';
    return open_screen(ui, name, argument);
}

bool screen_open_about(struct ui *ui, const char *name, const char *about)
{
    snprintf(ui->about, sizeof ui->about, "%s", about);
    return open_screen(ui, name, 0);
}

const char *screen_about(const struct ui *ui)
{
    return ui->about;
}

void screen_close(struct ui *ui)
{
    if (ui->depth > 1) {
        notice_leave(ui);
        layer_drop(ui);
    }
}

void screen_home(struct ui *ui)
{
    notice_leave(ui);
    while (ui->depth > 1) {
        layer_drop(ui);
    }
    const struct screen *lobby = screen_find("lobby");
    if (ui->depth == 0 || ui->stack[0].screen != lobby) {
        ui_stack_clear(ui);
        layer_push(ui, lobby, 0);
    }
}

const char *screen_below(const struct ui *ui)
{
    return ui->depth > 1 ? ui->stack[ui->depth - 2].screen->name : "";
}

const struct model *screen_model(const struct ui *ui)
{
    return ui->model;
}

const struct theme *screen_theme(const struct ui *ui)
{
    return ui->plain.is_on ? &ui->plain.theme : &ui->theme;
}

const struct theme *screen_look(const struct ui *ui)
{
    return &ui->theme;
}

int64_t screen_now(const struct ui *ui)
{
    return ui->now_ms;
}

int64_t screen_unix_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void notice_set(struct ui *ui, enum style style, const char *text)
{
    snprintf(ui->notice, sizeof ui->notice, "%s", text);
    ui->notice_style = style;
    ui->is_notice_brief = style == STYLE_WARN;
    ui->is_notice_passing = false;
    ui->is_notice_painted = false;
    ui->notice_end_ms = ui->now_ms + UI_NOTICE_MS;
    ui->is_dirty = true;
    if (ui->plain.is_on) {
        ui->notice_end_ms = 0;
        lines_put(screen_lines(ui), text);
    }
}

void screen_notice(struct ui *ui, const char *format, ...)
{
    char text[MODEL_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    notice_set(ui, STYLE_NOTICE, text);
}

void screen_warn(struct ui *ui, const char *format, ...)
{
    char text[MODEL_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    snprintf(ui->last_warning, sizeof ui->last_warning, "%s", text);
    notice_set(ui, STYLE_WARN, text);
}

const char *screen_last_warning(const struct ui *ui)
{
    return ui->last_warning;
}

void screen_notice_passes(struct ui *ui)
{
    ui->is_notice_passing = true;
}

void screen_refused(struct ui *ui, const json_t *answer)
{
    char why[MODEL_TEXT_MAX];
    model_text(json_object_get(answer, "why"), why, sizeof why);
    screen_warn(ui, "%s", why[0] != '\0' ? why : _("That did not work."));
}

void screen_say(struct ui *ui, const char *text)
{
    enum chat_channel room = CHAT_TABLE;
    if (ui->model->entered == NULL) {
        room = (enum chat_channel)screen_room(ui);
    }
    model_note(ui->model, room, text, screen_unix_now());
    ui->is_dirty = true;
    if (ui->plain.is_on) {
        lines_put(screen_lines(ui), text);
    }
}

/* The layer of that serial, NULL when it is gone. */
static struct ui_layer *layer_find(struct ui *ui, uint32_t serial)
{
    for (int i = 0; i < ui->depth; i++) {
        if (ui->stack[i].serial == serial) {
            return &ui->stack[i];
        }
    }
    return NULL;
}

void ui_answer_give(struct ui *ui, const struct ui_request *request, bool is_ok,
                    const json_t *answer)
{
    struct ui_layer *layer = layer_find(ui, request->serial);
    json_decref(request->fields);
    if (request->answer != NULL && (layer != NULL || request->serial == 0)) {
        uint32_t before = ui_act_as(ui, request->serial);
        request->answer(ui, layer != NULL ? layer->state : NULL, request->tag, is_ok, answer);
        (void)ui_act_as(ui, before);
    } else if (!is_ok) {
        screen_refused(ui, answer);
    }
}

static void answer_take(void *context, bool is_ok, const json_t *answer)
{
    struct ui_request request = *(struct ui_request *)context;
    struct ui *ui = request.ui;
    *(struct ui_request *)context = (struct ui_request){0};
    ui->is_dirty = true;
    ui->is_urgent = true;
    const char *code = json_string_value(json_object_get(answer, "code"));
    if (!is_ok && code != NULL && strcmp(code, "step_up") == 0) {
        ui_confirm_first(ui, &request, answer);
        ui_plain_go_on(ui);
        return;
    }
    ui_answer_give(ui, &request, is_ok, answer);
    ui_plain_go_on(ui);
}

void ui_request_send(struct ui *ui, const struct ui_request *wanted)
{
    struct ui_request *request = NULL;
    for (int i = 0; i < UI_REQUESTS_MAX && request == NULL; i++) {
        request = ui->requests[i].ui == NULL ? &ui->requests[i] : NULL;
    }
    if (request != NULL) {
        *request = *wanted;
        if (client_request(ui->client, wanted->type, json_incref(wanted->fields), answer_take,
                           request)) {
            return;
        }
        *request = (struct ui_request){0};
    }
    json_decref(wanted->fields);
    screen_warn(ui, "%s", _("The house has not answered yet: wait a moment and try again."));
}

void screen_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                    int64_t tag)
{
    struct ui_request wanted = {ui, acting_serial(ui), type, fields, answer, tag, ui->now_ms};
    ui_request_send(ui, &wanted);
}

void ui_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer, int64_t tag)
{
    struct ui_request wanted = {ui, 0, type, fields, answer, tag, ui->now_ms};
    ui_request_send(ui, &wanted);
}

bool ui_layer_is_waiting(const struct ui *ui, const struct ui_layer *layer)
{
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        if (ui->requests[i].ui != NULL && ui->requests[i].serial == layer->serial) {
            return true;
        }
    }
    return false;
}

int64_t ui_waiting_since(const struct ui *ui)
{
    int64_t since = INT64_MAX;
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        if (ui->requests[i].ui != NULL && ui->requests[i].sent_ms < since) {
            since = ui->requests[i].sent_ms;
        }
    }
    return since;
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
    explicit_bzero(ui->input.text, sizeof ui->input.text); /* it may have been a password */
    input_set(&ui->input, "");
    ui->is_typing = false;
    struct ui_layer *layer = layer_find(ui, question.serial);
    if (layer != NULL) {
        uint32_t before = ui_act_as(ui, question.serial);
        question.reply(ui, layer->state, text != NULL ? answer : NULL);
        (void)ui_act_as(ui, before);
    }
    explicit_bzero(answer, sizeof answer);
}

void screen_ask(struct ui *ui, enum ask_kind kind, const char *question, const char *initial,
                screen_reply *reply)
{
    ui_answer_question(ui, NULL);
    ui->question = (struct ui_question){
        .is_open = true, .kind = kind, .reply = reply, .serial = acting_serial(ui)};
    snprintf(ui->question.text, sizeof ui->question.text, "%s", question);
    input_set(&ui->input, initial != NULL ? initial : "");
    ui->notice_end_ms = 0;
    ui->is_dirty = true;
    if (ui->plain.is_on && kind != ASK_KEYS) {
        ui_plain_ask(ui);
    }
}

void screen_ask_keys(struct ui *ui, const char *question, const struct ask_key *keys,
                     screen_reply *reply)
{
    screen_ask(ui, ASK_KEYS, question, NULL, reply);
    ui->question.keys = keys;
    if (ui->plain.is_on) {
        ui_plain_ask(ui);
    }
}

const char *screen_typed(const struct ui *ui)
{
    return ui->input.text;
}

void screen_type(struct ui *ui, const char *text)
{
    input_set(&ui->input, text);
    ui->is_typing = true;
    ui->is_dirty = true;
}

void screen_enter_line(struct ui *ui, const char *line)
{
    while (*line == ' ') {
        line++;
    }
    if (*line == '/') {
        command_run(ui, line);
        return;
    }
    if (*line == '\0') {
        return;
    }
    if (ui->model->you.name[0] == '\0') {
        screen_warn(ui, "%s", _("Choose a name first: then you can talk."));
        return;
    }
    ui_request(ui, "say",
               json_pack("{s:s, s:s, s:s}", "to", screen_audience(ui), "kind", "say", "text", line),
               NULL, 0);
}

void screen_bell(struct ui *ui)
{
    ui->is_ringing = true;
    ui->is_dirty = true;
}

bool screen_has_bell(const struct ui *ui)
{
    return ui->has_bell;
}

const char *screen_suggested_name(const struct ui *ui)
{
    return ui->suggested_name;
}

bool screen_password_fits(const struct ui *ui, const char *password)
{
    size_t len = strlen(password);
    return len >= ui->password_min && len <= ui->password_max;
}

void screen_password_warn(struct ui *ui)
{
    screen_warn(ui, _("A password has %u to %u characters: a short sentence will do."),
                ui->password_min, ui->password_max);
}

unsigned screen_password_min(const struct ui *ui)
{
    return ui->password_min;
}

bool screen_is_telnet(const struct ui *ui)
{
    return ui->is_telnet;
}

bool screen_has_key(const struct ui *ui)
{
    return ui->has_key;
}

void screen_password_set(struct ui *ui)
{
    ui->model->you.has_password = true;
    ui->model->you.is_recovered = false;
}

void screen_signed_up(struct ui *ui, const json_t *you)
{
    bool was_plain = ui->model->you.is_plain; /* chosen before there was an account to keep it */
    model_set_you(ui->model, you);
    if (was_plain && !ui->model->you.is_plain) {
        screen_set_plain(ui, true);
    }
    ui_apply_settings(ui);
}

void ui_apply_settings(struct ui *ui)
{
    const struct model_you *you = &ui->model->you;
    enum theme_kind kind = theme_find(you->theme);
    if (kind != THEME_KINDS) {
        ui->theme.kind = (uint8_t)kind;
    }
    if (you->has_ascii) {
        ui->theme.is_ascii = you->is_ascii || ui->is_ascii_terminal;
    }
    if (you->has_bell) {
        ui->has_bell = you->is_bell;
    }
    ui_plain_settle(ui);
    ui->is_dirty = true;
}

static void telnet_answered(struct ui *ui, void *state, int64_t is_on, bool is_ok,
                            const json_t *answer)
{
    (void)state;
    if (!is_ok) {
        screen_refused(ui, answer);
        return;
    }
    ui->model->you.is_telnet = is_on != 0;
    screen_notice(ui, "%s",
                  is_on != 0
                      ? _("You can come by telnet too: your password can be read on the way.")
                      : _("Your name is let in by ssh only."));
}

void screen_set_telnet(struct ui *ui, bool is_on)
{
    if (ui->model->you.kind == PERSON_GUEST) {
        screen_warn(ui, "%s",
                    _("Guests may always come by telnet; this is for names of their own."));
        return;
    }
    ui_request(ui, "settings_set", json_pack("{s:{s:b}}", "settings", "telnet", is_on),
               telnet_answered, is_on);
}

void screen_set_look(struct ui *ui, enum theme_kind kind, bool is_ascii, bool has_bell)
{
    ui->theme.kind = (uint8_t)kind;
    ui->theme.is_ascii = is_ascii;
    ui->has_bell = has_bell;
    if (ui->display != NULL) {
        display_redraw(ui->display);
    }
    ui->is_dirty = true;
    if (ui->model->you.name[0] != '\0') {
        ui_request(ui, "settings_set",
                   json_pack("{s:{s:s, s:b, s:b}}", "settings", "theme", theme_name(kind), "ascii",
                             is_ascii, "bell", has_bell),
                   NULL, 0);
    }
}
