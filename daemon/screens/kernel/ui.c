#include "daemon/session/ui.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"
#include "daemon/session/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table wants no watchers any more. */
static void sent_out(struct ui *ui, const json_t *message)
{
    char why[MODEL_TEXT_MAX];
    int64_t table = model_number(json_object_get(message, "table"), 0);
    if (ui->model->entered == NULL || ui->model->entered->row.id != table) {
        return;
    }
    model_text(json_object_get(message, "why"), why, sizeof why);
    model_leave(ui->model);
    screen_home(ui);
    screen_warn(ui, "%s", why);
}

static void push_take(void *context, const char *type, const json_t *message);

/* What was said before the session's clock was known begins with it. */
static void time_set(struct ui *ui, int64_t now_ms)
{
    if (!ui->has_time) {
        ui->has_time = true;
        ui->notice_end_ms += ui->notice_end_ms > 0 ? now_ms : 0;
        for (int i = 0; i < UI_REQUESTS_MAX; i++) {
            ui->requests[i].sent_ms += now_ms;
        }
    }
    ui->now_ms = now_ms;
}

static void you_parse(struct ui *ui, const char *text)
{
    json_t *you = json_loads(text, 0, NULL);
    model_set_you(ui->model, you);
    json_decref(you);
    ui_apply_settings(ui);
}

struct ui *ui_new(const struct ui_setup *setup)
{
    struct ui *ui = calloc(1, sizeof *ui);
    if (ui == NULL) {
        return NULL;
    }
    ui->client = setup->client;
    ui->has_key = setup->has_key;
    ui->is_telnet = setup->is_telnet;
    ui->password_min = setup->password_min != 0 ? setup->password_min : 10;
    ui->password_max = setup->password_max != 0 ? setup->password_max : 128;
    ui->has_bell = true;
    ui->is_ascii_terminal = setup->is_ascii;
    ui->theme.is_ascii = setup->is_ascii;
    input_init(&ui->input);
    ui->model = model_new();
    plain_init(&ui->plain, &setup->lines, setup->columns);
    ui->display = setup->lines.is_on ? NULL : display_new(setup->term, setup->columns, setup->rows);
    if (ui->model == NULL || (ui->display == NULL && !setup->lines.is_on)) {
        ui_free(ui);
        return NULL;
    }
    if (ui->display != NULL) {
        ui->theme.has_colour = display_has_colour(ui->display);
        ui->theme.is_ascii = setup->is_ascii || strncmp(display_name(ui->display), "vt", 2) == 0;
    }
    if (ui->display != NULL && ui->is_telnet) {
        display_avoid_returns(ui->display);
    }
    ui->plain.since_ms = screen_unix_now();
    ui_plain_settle(ui);
    if (setup->suggested_name != NULL) {
        snprintf(ui->suggested_name, sizeof ui->suggested_name, "%s", setup->suggested_name);
    }
    snprintf(ui->model->house, sizeof ui->model->house, "%s",
             setup->house != NULL ? setup->house : "Trickhouse");
    if (setup->you != NULL) {
        you_parse(ui, setup->you);
    }
    client_on_push(ui->client, push_take, ui);
    if (setup->is_visitor) {
        screen_open(ui, "sign_up", 0);
    } else {
        screen_home(ui);
        if (ui->model->you.is_recovered) {
            screen_open(ui, "settings", 1);
        }
    }
    if (ui->display != NULL && display_is_fallback(ui->display)) {
        screen_notice(ui, _("Unknown terminal \"%.24s\": drawing for %s."),
                      setup->term != NULL ? setup->term : "", display_name(ui->display));
    }
    ui->is_dirty = true;
    ui->is_urgent = true;
    return ui;
}

void ui_free(struct ui *ui)
{
    if (ui == NULL) {
        return;
    }
    if (ui->depth > 0) {
        client_on_push(ui->client, NULL, NULL);
        ui_stack_clear(ui);
    }
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        json_decref(ui->requests[i].fields);
    }
    ui_confirm_forget(ui);
    plain_clear(&ui->plain);
    display_free(ui->display);
    model_free(ui->model);
    input_clear(&ui->input);
    free(ui);
}

/* Rings when it has become one's turn, at this table or another. */
static void turns_notice(struct ui *ui)
{
    const struct model_entered *entered = ui->model->entered;
    bool is_to_act = entered != NULL && entered->has_view && view_is_to_act(&entered->view);
    int turns = model_turns(ui->model);
    if ((is_to_act && !ui->was_to_act) || turns > ui->turns) {
        screen_bell(ui);
    }
    for (int i = 0; i < ui->model->mine_count && turns > ui->turns; i++) {
        const struct model_mine *mine = &ui->model->mine[i];
        bool is_here =
            (entered != NULL && entered->row.id == mine->table) || ui->going_back == mine->table;
        if (mine->is_turn && !is_here) {
            screen_notice(ui, _("It is your turn at #%lld: N or /next goes there"),
                          (long long)mine->table);
        }
    }
    ui->was_to_act = is_to_act;
    ui->turns = turns;
}

/* Stays in the talk where one is, and stands in the rule until a key is pressed. */
static void wall_show(struct ui *ui, const char *text)
{
    if (ui->plain.is_on) {
        screen_warn(ui, "%s", text);
    } else {
        screen_say(ui, text);
        screen_warn(ui, "%s", text);
    }
    screen_bell(ui);
}

static void notice_push(struct ui *ui, const json_t *message)
{
    char text[MODEL_TEXT_MAX];
    model_text(json_object_get(message, "text"), text, sizeof text);
    const char *kind = json_string_value(json_object_get(message, "kind"));
    if (kind != NULL && strcmp(kind, "motd") == 0) {
        screen_say(ui, text);
    } else if (kind != NULL && strcmp(kind, "wall") == 0) {
        wall_show(ui, text);
    } else if (kind != NULL && strcmp(kind, "warn") == 0) {
        screen_warn(ui, "%s", text);
    } else {
        screen_notice(ui, "%s", text);
    }
}

/* Rings for what is said to one alone, and says so of what has waited. */
static void tell_notice(struct ui *ui, const json_t *message)
{
    const char *channel = json_string_value(json_object_get(message, "channel"));
    const char *from = json_string_value(json_object_get(message, "from"));
    const struct model_person *you = model_person(ui->model, ui->model->you.name);
    if (channel == NULL || strcmp(channel, "tell") != 0 || from == NULL ||
        strcmp(from, ui->model->you.name) == 0) {
        return;
    }
    if (you == NULL || you->presence != PRESENCE_DND) {
        screen_bell(ui);
    }
    int kept = 0;
    const struct chat_log *log = &ui->model->chat[CHAT_LOBBY];
    for (int i = 0; i < log->count; i++) {
        kept += model_chat_line(log, i)->is_kept ? 1 : 0;
    }
    if (json_is_true(json_object_get(message, "kept")) && !ui->plain.is_on) {
        screen_notice(ui,
                      ngettext("%d message has waited for you: it stands in the lobby's talk.",
                               "%d messages have waited for you: they stand in the lobby's talk.",
                               (unsigned long)kept),
                      kept);
    }
}

static void invite_notice(struct ui *ui)
{
    const struct model *model = ui->model;
    if (model->invite.table == 0) {
        return;
    }
    screen_notice(ui, _("%s wants you at #%lld, %s: /accept sits down there, /decline does not"),
                  model->invite.from, (long long)model->invite.table, _(model->invite.game->title));
    screen_bell(ui);
}

/* What is said where one does not look is marked, but for what was said before one came. */
static void room_notice(struct ui *ui, const json_t *message)
{
    char name[MODEL_NAME_MAX];
    model_text(json_object_get(message, "channel"), name, sizeof name);
    bool is_lobby = strcmp(name, "lobby") == 0 || strcmp(name, "tell") == 0;
    int room = is_lobby ? CHAT_LOBBY : model_room(ui->model, name);
    bool is_new = model_number(json_object_get(message, "at"), 0) >= ui->plain.since_ms;
    if ((is_lobby || room != CHAT_LOBBY) && room != screen_room(ui) && is_new) {
        ui->room_news = (uint16_t)(ui->room_news | 1U << room);
    }
}

static void push_take(void *context, const char *type, const json_t *message)
{
    struct ui *ui = context;
    if (ui->is_notice_passing && (strcmp(type, "view") == 0 || strcmp(type, "table") == 0)) {
        ui->notice_end_ms = 0;
    }
    model_push(ui->model, type, message, ui->now_ms);
    ui->is_dirty = true;
    if (strcmp(type, "notice") == 0) {
        notice_push(ui, message);
    } else if (strcmp(type, "sent_out") == 0) {
        sent_out(ui, message);
    } else if (strcmp(type, "back") == 0) {
        ui_go_back(ui, model_number(json_object_get(message, "table"), 0));
    } else if (strcmp(type, "welcome") == 0) {
        ui_apply_settings(ui);
    } else if (strcmp(type, "invite") == 0) {
        invite_notice(ui);
    } else if (strcmp(type, "bye") == 0) {
        ui->is_done = true;
    } else if (strcmp(type, "chat") == 0) {
        tell_notice(ui, message);
        room_notice(ui, message);
    }
    if (strcmp(type, "chat") == 0) {
        ui_plain_chat(ui, message);
    }
    turns_notice(ui);
    for (int i = 0; i < ui->depth; i++) {
        struct ui_layer layer = ui->stack[i];
        if (layer.screen->push != NULL) {
            uint32_t before = ui_act_as(ui, layer.serial);
            layer.screen->push(ui, layer.state, type, message);
            (void)ui_act_as(ui, before);
        }
    }
    ui->plain.has_house = ui->plain.has_house || strcmp(type, "lobby") == 0;
    ui_plain_go_on(ui);
}

void ui_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms)
{
    time_set(ui, now_ms);
    ui->is_dirty = true;
    ui->is_urgent = true;
    if (!ui->plain.is_on) {
        ui_take_typed(ui, bytes, len);
    } else if (!bytes_add(&ui->plain.typed, bytes, len)) {
        screen_warn(ui, "%s", _("That was too much at once: some of it is lost."));
    }
    ui_plain_go_on(ui);
}

void ui_resize(struct ui *ui, int columns, int rows)
{
    ui->plain.columns = columns;
    if (ui->display != NULL) {
        display_resize(ui->display, columns, rows);
    }
    ui->is_dirty = true;
    ui->is_urgent = true;
}

/* The sooner of two times, those passed over that the last picture has shown already. */
static int64_t sooner(const struct ui *ui, int64_t time_ms, int64_t other_ms)
{
    return other_ms > ui->painted_ms && other_ms < time_ms ? other_ms : time_ms;
}

/* When the picture changes by itself. */
static int64_t wake_ms(const struct ui *ui)
{
    const struct ui_layer *layer = &ui->stack[ui->depth - 1];
    int64_t since_ms = ui_waiting_since(ui);
    if (ui->plain.is_on) {
        return sooner(ui, INT64_MAX, ui_plain_wake_ms(ui));
    }
    int64_t wake = sooner(ui, INT64_MAX, ui->notice_end_ms);
    if (layer->screen->next_ms != NULL) {
        wake = sooner(ui, wake, layer->screen->next_ms(ui, layer->state));
    }
    return since_ms != INT64_MAX ? sooner(ui, wake, since_ms + UI_LATE_MS) : wake;
}

void ui_tick(struct ui *ui, int64_t now_ms)
{
    /* Asked before the time moves on: what a clock shows next is reckoned from what it shows. */
    if (wake_ms(ui) <= now_ms) {
        ui->is_dirty = true;
    }
    time_set(ui, now_ms);
    ui_plain_go_on(ui);
}

int ui_timeout_ms(const struct ui *ui, int64_t now_ms)
{
    int64_t wait = INT64_MAX;
    if (ui->is_dirty) {
        wait = ui->is_urgent ? 0 : ui->painted_ms + UI_FRAME_MS - now_ms;
    } else if (wake_ms(ui) != INT64_MAX) {
        wait = wake_ms(ui) - now_ms;
    }
    if (wait == INT64_MAX) {
        return -1;
    }
    return wait < 0 ? 0 : wait > INT32_MAX ? INT32_MAX : (int)wait;
}

bool ui_wants_paint(const struct ui *ui, int64_t now_ms)
{
    return ui->is_dirty &&
           (ui->is_urgent || now_ms - ui->painted_ms >= UI_FRAME_MS || now_ms < ui->painted_ms);
}

/* The window's title and the bell go with the picture that shows why. */
static void signals_send(struct ui *ui, struct bytes *out)
{
    char title[sizeof ui->title];
    bool is_turn = ui->turns > 0 || ui->was_to_act;
    snprintf(title, sizeof title, "%s%s", is_turn ? _("* your turn: ") : "", ui->model->house);
    if (strcmp(title, ui->title) != 0) {
        snprintf(ui->title, sizeof ui->title, "%s", title);
        display_title(ui->display, title, out);
    }
    if (ui->is_ringing && ui->has_bell) {
        display_bell(out);
    }
    ui->is_ringing = false;
}

/* In words that fit on the smallest terminal there may be. */
static void too_small(struct ui *ui, const struct canvas *canvas)
{
    int row = canvas->body.height / 2 - 1, width = canvas->body.width;
    char size[64];
    draw_text_centre(canvas, row, 0, width, STYLE_STRONG, _("Window too small"));
    int columns = display_columns(ui->display), rows = display_rows(ui->display);
    /* A size is clamped before it comes here (terminal.h). */
    bool is_smallest = columns <= TERMINAL_COLUMNS_LEAST || rows <= TERMINAL_ROWS_LEAST;
    snprintf(size, sizeof size, is_smallest ? _("it is at most %dx%d") : _("it is %dx%d"), columns,
             rows);
    draw_text_centre(canvas, row + 1, 0, width, STYLE_PLAIN, size);
    snprintf(size, sizeof size, _("make it %dx%d"), DISPLAY_COLUMNS_MIN, DISPLAY_ROWS_MIN);
    draw_text_centre(canvas, row + 2, 0, width, STYLE_PLAIN, size);
}

static void picture_paint(struct ui *ui, struct bytes *out)
{
    int rows = display_rows(ui->display), columns = display_columns(ui->display);
    int cursor_row = 0, cursor_column = 0;
    struct canvas canvas = {&ui->theme, {0, 0, rows, columns}};
    display_clear(ui->display, &ui->theme);
    if (ui->notice_end_ms > 0 && ui->notice_end_ms <= ui->now_ms) {
        ui->notice_end_ms = 0;
    }
    if (rows < DISPLAY_ROWS_MIN || columns < DISPLAY_COLUMNS_MIN) {
        too_small(ui, &canvas);
    } else {
        canvas.body.height = rows - UI_BOTTOM_ROWS;
        struct ui_layer *layer = ui_layer_top(ui);
        layer->screen->draw(ui, layer->state, &canvas);
        ui_draw_bottom(ui, &canvas, &cursor_row, &cursor_column);
    }
    ui->is_notice_painted = true;
    ui->plain.was_drawn = true;
    ui->is_dirty = !display_paint(ui->display, cursor_row, cursor_column, out);
    signals_send(ui, out);
}

void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out)
{
    time_set(ui, now_ms);
    if (ui->plain.is_on) {
        ui->is_dirty = false;
        ui_plain_show(ui, out);
    } else {
        picture_paint(ui, out);
    }
    ui->painted_ms = now_ms;
    ui->is_urgent = false;
}

bool ui_is_done(const struct ui *ui)
{
    return ui->is_done;
}

/* A last line, on a terminal that is the client's again. */
static void say_last(const struct ui *ui, int columns, const char *line, struct bytes *out)
{
    const struct lines_look look = {
        .width = columns, .is_ascii = ui->is_ascii_terminal, .end = "\r\n"};
    struct lines lines;
    lines_init(&lines, LINES_LINE_MAX);
    lines_put(&lines, line);
    bool is_said = lines_write(&lines, &look, out);
    (void)is_said; /* there is nobody left to tell */
    lines_clear(&lines);
}

void ui_end(struct ui *ui, struct bytes *out)
{
    char line[MODEL_TEXT_MAX * 2];
    if (ui->model->is_over) {
        snprintf(line, sizeof line, "%s", ui->model->bye);
    } else if (ui->model->you.name[0] != '\0') {
        snprintf(line, sizeof line, _("Goodbye, %s. %s is open whenever you are."),
                 ui->model->you.name, ui->model->house);
    } else {
        snprintf(line, sizeof line, _("Goodbye. %s is open whenever you are."), ui->model->house);
    }
    if (ui->plain.is_on) {
        ui->is_done = true; /* no prompt any more */
        lines_put(&ui->plain.lines, line);
        ui_plain_show(ui, out);
        return;
    }
    int columns = display_columns(ui->display);
    display_end(ui->display, out);
    say_last(ui, columns, line, out);
}
