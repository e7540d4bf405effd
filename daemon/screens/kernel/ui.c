#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void handle_pushed_message(void *context, const char *type, const json_t *message);

/* Sets the session's clock. The first call adds `now_ms` to the times that were stored while the
 * clock still stood at 0. */
static void set_session_time(struct ui *ui, int64_t now_ms)
{
    ui_free_closed_screens(ui);
    if (!ui->has_time) {
        ui->has_time = true;
        ui->notice_end_ms += ui->notice_end_ms > 0 ? now_ms : 0;
        for (int i = 0; i < UI_REQUESTS_MAX; i++) {
            ui->requests[i].sent_ms += now_ms;
        }
    }
    ui->now_ms = now_ms;
}

/* Opens the sign-up screen, or the lobby. For a person who signed in with a recovery code, opens
 * the settings above the lobby, to set a new password. */
static void open_first_screen(struct ui *ui, bool is_unregistered)
{
    if (is_unregistered) {
        screen_open(ui, "sign_up", 0);
        return;
    }
    screen_return_to_lobby(ui);
    if (ui->model->you.is_recovered) {
        screen_open(ui, "settings", 1);
    }
}

struct ui *ui_new(const struct ui_setup *setup)
{
    struct ui *ui = calloc(1, sizeof *ui);
    if (ui == NULL) {
        return NULL;
    }
    ui->setup = *setup;
    ui->setup.password_min = setup->password_min != 0 ? setup->password_min : 10;
    ui->setup.password_max = setup->password_max != 0 ? setup->password_max : 128;
    ui->has_bell = true;
    ui->theme.is_ascii = setup->is_ascii;
    ui->model = model_new();
    plain_init(&ui->plain);
    ui->display = setup->lines.is_on
                      ? NULL
                      : display_start(setup->prepared, setup->term, setup->columns, setup->rows);
    if (ui->model == NULL || (ui->display == NULL && !setup->lines.is_on)) {
        ui_free(ui);
        return NULL;
    }
    if (ui->display != NULL) {
        ui->theme.has_colour = display_has_colour(ui->display);
        ui->theme.is_ascii =
            setup->is_ascii || strncmp(display_terminal_name(ui->display), "vt", 2) == 0;
    }
    i18n_choose_letters(ui->theme.is_ascii);
    if (ui->display != NULL && ui->setup.is_telnet) {
        display_avoid_carriage_returns(ui->display);
    }
    ui->plain.since_ms = clock_unix_ms();
    ui_plain_update_mode(ui);
    snprintf(ui->model->house, sizeof ui->model->house, "%s",
             setup->house != NULL ? setup->house : "Trickhouse");
    if (setup->you != NULL) {
        model_set_own_account(ui->model, setup->you);
        ui_apply_settings(ui);
    }
    client_set_push_receiver(ui->setup.client, handle_pushed_message, ui);
    open_first_screen(ui, setup->is_unregistered);
    if (ui->display != NULL && display_uses_fallback_terminal(ui->display)) {
        screen_inform(ui, _("Unknown terminal \"%.24s\": drawing for %s."),
                      setup->term != NULL ? setup->term : "", display_terminal_name(ui->display));
        ui->is_notice_of_house = true;
    }
    ui->awaits_state = !setup->is_unregistered && !ui->plain.is_on;
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
        client_set_push_receiver(ui->setup.client, NULL, NULL);
        ui_close_all_screens(ui);
    }
    ui_free_closed_screens(ui);
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        json_decref(ui->requests[i].fields);
    }
    ui_forget_unconfirmed_request(ui);
    json_decref(ui->asked_first.fields);
    plain_clear(&ui->plain);
    display_free(ui->display);
    model_free(ui->model);
    input_clear(&ui->input);
    ui_forget_watched_lobby(ui);
    free(ui);
}

/* The rows arrive before the answer. */
static void note_arrived_rows(struct ui *ui, UNUSED const struct ui_answer *answer)
{
    ui->awaits_rows = false;
}

/* Tells the core which rows of the lobby the top screen shows, if that has changed. Called after
 * each frame. */
static void watch_lobby(struct ui *ui)
{
    struct ui_layer *layer = ui_top_layer(ui);
    bool shows_rows = layer->screen->lobby_query != NULL && ui->display != NULL &&
                      !ui->plain.is_on && ui->model->you.name[0] != '\0';
    json_t *fields = shows_rows ? layer->screen->lobby_query(ui, layer->state) : NULL;
    if (fields == NULL ? ui->watched == NULL : json_equal(fields, ui->watched)) {
        json_decref(fields);
        return;
    }
    json_decref(ui->watched);
    ui->watched = json_deep_copy(fields); /* the client adds to the fields that it sends */
    ui->awaits_rows = fields != NULL;
    ui_request(ui, "lobby_watch", fields == NULL ? json_object() : fields, note_arrived_rows, 0);
}

void ui_forget_watched_lobby(struct ui *ui)
{
    json_decref(ui->watched);
    ui->watched = NULL;
}

static void pass_pushed_message_to_screen(struct ui *ui, const struct ui_layer *layer,
                                          const char *type, const json_t *message)
{
    const struct screen_push *push = layer->screen->pushes;
    for (; push != NULL && push->type != NULL; push++) {
        if (strcmp(push->type, type) == 0) {
            uint32_t before = ui_set_running_screen(ui, layer->serial);
            push->take(ui, layer->state, message);
            (void)ui_set_running_screen(ui, before);
            return;
        }
    }
}

static void handle_pushed_message(void *context, const char *type, const json_t *message)
{
    struct ui *ui = context;
    ui_free_closed_screens(ui);
    model_apply_pushed_message(ui->model, type, message, ui->now_ms);
    ui->is_dirty = true;
    ui_plain_tell_absence(ui);
    ui_report_pushed_message(ui, type, message);
    for (int i = 0; i < ui->depth; i++) {
        struct ui_layer layer = ui->stack[i];
        pass_pushed_message_to_screen(ui, &layer, type, message);
    }
    if (ui->awaits_state && strcmp(type, "mine") == 0) {
        ui->awaits_state = false;
        watch_lobby(ui); /* so that the first frame has the rows already */
    }
    ui_plain_carry_out_lines(ui);
}

void ui_handle_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms)
{
    set_session_time(ui, now_ms);
    if (len == 0 && !ui_take_overdue_keys(ui)) {
        return;
    }
    ui->is_dirty = true;
    ui->is_urgent = true;
    if (!ui->plain.is_on) {
        ui_take_typed_bytes(ui, bytes, len);
    } else if (!bytes_add(&ui->plain.typed, bytes, len)) {
        screen_warn(ui, "%s", _("Too much input at once: some of it is lost."));
    }
    ui_plain_carry_out_lines(ui);
}

int64_t ui_keys_due_ms(const struct ui *ui)
{
    return key_parser_due_ms(&ui->keys);
}

void ui_resize(struct ui *ui, int columns, int rows)
{
    ui->setup.columns = columns;
    if (ui->display != NULL) {
        display_resize(ui->display, columns, rows);
    }
    ui->is_dirty = true;
    ui->is_urgent = true;
}

/* Returns the earlier of two times at which the screen changes by itself. Ignores changes that the
 * last frame already shows. */
static int64_t choose_earlier_unpainted_change(const struct ui *ui, int64_t time_ms,
                                               int64_t other_ms)
{
    return other_ms > ui->painted_ms && other_ms < time_ms ? other_ms : time_ms;
}

/* Returns when the screen will next change without input or a message from the core. */
static int64_t compute_next_change_at_ms(const struct ui *ui)
{
    const struct ui_layer *layer = &ui->stack[ui->depth - 1];
    int64_t since_ms = ui_get_oldest_request_sent_at_ms(ui);
    int64_t wake = choose_earlier_unpainted_change(ui, INT64_MAX, ui_away_notice_at_ms(ui));
    if (ui->plain.is_on) {
        return choose_earlier_unpainted_change(ui, wake, ui_plain_next_event_at_ms(ui));
    }
    wake = choose_earlier_unpainted_change(ui, wake, ui->notice_end_ms);
    if (layer->screen->next_ms != NULL) {
        wake = choose_earlier_unpainted_change(ui, wake, layer->screen->next_ms(ui, layer->state));
    }
    return since_ms != INT64_MAX ? choose_earlier_unpainted_change(ui, wake, since_ms + UI_LATE_MS)
                                 : wake;
}

void ui_tick(struct ui *ui, int64_t now_ms)
{
    /* The next change is computed before the time advances, because it depends on what the clocks
     * show now. */
    if (compute_next_change_at_ms(ui) <= now_ms) {
        ui->is_dirty = true;
    }
    set_session_time(ui, now_ms);
    ui_plain_tell_absence(ui);
    ui_plain_carry_out_lines(ui);
}

int ui_poll_timeout_ms(const struct ui *ui, int64_t now_ms)
{
    int64_t wait = INT64_MAX;
    if (ui->is_dirty) {
        wait = ui->is_urgent ? 0 : ui->painted_ms + UI_FRAME_MS - now_ms;
    } else if (compute_next_change_at_ms(ui) != INT64_MAX) {
        wait = compute_next_change_at_ms(ui) - now_ms;
    }
    if (wait == INT64_MAX) {
        return -1;
    }
    return wait < 0 ? 0 : wait > INT32_MAX ? INT32_MAX : (int)wait;
}

bool ui_awaits_first_content(const struct ui *ui)
{
    /* once one's own tables have arrived, the top screen asks for what it shows */
    return ui->awaits_state || ui_get_oldest_request_sent_at_ms(ui) != INT64_MAX;
}

bool ui_wants_paint(const struct ui *ui, int64_t now_ms)
{
    return ui->is_dirty &&
           (ui->is_urgent || now_ms - ui->painted_ms >= UI_FRAME_MS || now_ms < ui->painted_ms);
}

/* Appends the window's title and the bell to the bytes of a frame, so that they reach the terminal
 * together with the change that caused them. */
static void append_title_and_bell(struct ui *ui, struct bytes *out)
{
    char title[sizeof ui->title];
    bool is_turn = ui->turns > 0 || ui->was_to_act;
    snprintf(title, sizeof title, is_turn ? _("* your turn: %s") : "%s", ui->model->house);
    if (strcmp(title, ui->title) != 0) {
        snprintf(ui->title, sizeof ui->title, "%s", title);
        display_set_title(ui->display, title, out);
    }
    if (ui->is_ringing && ui->has_bell) {
        display_ring_bell(out);
    }
    ui->is_ringing = false;
}

/* Tells the person that the window is too small, in a text that fits the smallest terminal. */
static void draw_window_too_small(struct ui *ui, const struct canvas *canvas)
{
    int row = canvas->body.height / 2 - 1, width = canvas->body.width;
    char size[64];
    draw_text_centred(canvas, row, 0, width, STYLE_STRONG, _("Window too small"));
    int columns = display_columns(ui->display), rows = display_rows(ui->display);
    /* The caller of ui_new has raised the size to the minimum, so the real terminal may be even
     * smaller. */
    bool is_smallest = columns <= UI_COLUMNS_LEAST || rows <= UI_ROWS_LEAST;
    snprintf(size, sizeof size, is_smallest ? _("size: at most %dx%d") : _("size: %dx%d"), columns,
             rows);
    draw_text_centred(canvas, row + 1, 0, width, STYLE_PLAIN, size);
    snprintf(size, sizeof size, _("need %dx%d"), DISPLAY_COLUMNS_MIN, DISPLAY_ROWS_MIN);
    draw_text_centred(canvas, row + 2, 0, width, STYLE_PLAIN, size);
}

static void paint_frame(struct ui *ui, struct bytes *out)
{
    int rows = display_rows(ui->display), columns = display_columns(ui->display);
    int cursor_row = 0, cursor_column = 0;
    struct canvas canvas = {
        display_begin_frame(ui->display, &ui->theme), &ui->theme, {0, 0, rows, columns}};
    if (ui->notice_end_ms > 0 && ui->notice_end_ms <= ui->now_ms) {
        ui->notice_end_ms = 0;
    }
    if (rows < DISPLAY_ROWS_MIN || columns < DISPLAY_COLUMNS_MIN) {
        draw_window_too_small(ui, &canvas);
        ui->painted_serial = 0;
    } else {
        canvas.body = screen_body(ui);
        struct ui_layer *layer = ui_top_layer(ui);
        layer->screen->draw(ui, layer->state, &canvas);
        ui->painted_serial = layer->serial;
        ui_draw_bottom_rows(ui, &canvas, &cursor_row, &cursor_column);
    }
    ui->is_notice_painted = true;
    ui->plain.was_drawn = true;
    ui->is_dirty = !display_end_frame(ui->display, cursor_row, cursor_column, out);
    append_title_and_bell(ui, out);
    watch_lobby(ui);
}

void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out)
{
    set_session_time(ui, now_ms);
    if (ui->plain.is_on) {
        ui->is_dirty = false;
        ui_plain_append_output(ui, out);
    } else {
        paint_frame(ui, out);
    }
    ui->painted_ms = now_ms;
    ui->is_urgent = false;
}

bool ui_is_done(const struct ui *ui)
{
    return ui->is_done;
}

/* Appends the session's last line, which is shown after the terminal has been restored. */
static void append_last_line(const struct ui *ui, int columns, const char *line, struct bytes *out)
{
    const struct lines_look look = {
        .width = columns, .is_ascii = ui->setup.is_ascii, .end = "\r\n"};
    struct lines lines;
    lines_init(&lines, LINES_LINE_MAX);
    lines_put(&lines, line);
    bool is_said = lines_write(&lines, &look, out);
    (void)is_said; /* a failure is not reported: the session is over */
    lines_clear(&lines);
}

void ui_restore_terminal(struct ui *ui, struct bytes *out)
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
        ui->is_done = true; /* no prompt is printed after this line */
        lines_put(&ui->plain.lines, line);
        ui_plain_append_output(ui, out);
        return;
    }
    int columns = display_columns(ui->display);
    display_set_title(ui->display, "", out);
    display_restore_terminal(ui->display, out);
    append_last_line(ui, columns, line, out);
}

void ui_set_line_mode(struct ui *ui, const struct ui_lines *lines)
{
    ui->setup.lines = *lines;
    ui->setup.lines.is_on =
        lines->is_on ||
        ui->display == NULL; /* a terminal that began in plain mode stays in plain mode */
    ui_plain_update_mode(ui);
    ui_plain_carry_out_lines(ui);
}

void ui_leave_after_typed_lines(struct ui *ui)
{
    ui->plain.is_leaving = true;
    ui_top_layer(ui)->is_printed = true; /* a single command needs no greeting */
    ui->plain.end_ms = ui->now_ms;
}

void ui_note_end_of_input(struct ui *ui, int64_t now_ms)
{
    if (!ui->plain.is_ended) {
        ui->plain.is_ended = true;
        ui->plain.end_ms = now_ms;
        ui_tick(ui, now_ms);
    }
}

void ui_mark_lines_from_ssh_command(struct ui *ui)
{
    ui->is_exec = true;
}

bool ui_last_mod_command_succeeded(const struct ui *ui)
{
    return ui->is_order_done;
}
