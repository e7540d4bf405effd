#include "daemon/session/ui.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/ui_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define CTRL(letter) ((letter) - 'A' + 1)

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
    ui->has_bell = true;
    input_init(&ui->input);
    ui->model = model_new();
    ui->display = display_new(setup->term, setup->columns, setup->rows);
    if (ui->model == NULL || ui->display == NULL) {
        ui_free(ui);
        return NULL;
    }
    ui->theme.has_colour = display_has_colour(ui->display);
    ui->theme.is_ascii = strncmp(display_name(ui->display), "vt", 2) == 0;
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
    }
    if (display_is_fallback(ui->display)) {
        screen_notice(ui, _("This house does not know the terminal \"%.32s\": drawing for %s."),
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
    if (ui->display != NULL && ui->model != NULL) {
        client_on_push(ui->client, NULL, NULL);
        ui_stack_clear(ui);
    }
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
        bool is_here = entered != NULL && entered->row.id == mine->table;
        if (mine->is_turn && !is_here) {
            screen_notice(ui, _("It is your turn at #%lld: /watch %lld"), (long long)mine->table,
                          (long long)mine->table);
        }
    }
    ui->was_to_act = is_to_act;
    ui->turns = turns;
}

static void notice_push(struct ui *ui, const json_t *message)
{
    char text[MODEL_TEXT_MAX];
    model_text(json_object_get(message, "text"), text, sizeof text);
    const char *kind = json_string_value(json_object_get(message, "kind"));
    if (kind != NULL && strcmp(kind, "warn") == 0) {
        screen_warn(ui, "%s", text);
    } else {
        screen_notice(ui, "%s", text);
    }
}

static void push_take(void *context, const char *type, const json_t *message)
{
    struct ui *ui = context;
    model_push(ui->model, type, message, ui->now_ms);
    ui->is_dirty = true;
    if (strcmp(type, "notice") == 0) {
        notice_push(ui, message);
    } else if (strcmp(type, "welcome") == 0) {
        ui_apply_settings(ui);
    } else if (strcmp(type, "bye") == 0) {
        ui->is_done = true;
    } else if (strcmp(type, "chat") == 0) {
        const char *channel = json_string_value(json_object_get(message, "channel"));
        const char *from = json_string_value(json_object_get(message, "from"));
        if (channel != NULL && strcmp(channel, "tell") == 0 && from != NULL &&
            strcmp(from, ui->model->you.name) != 0) {
            screen_bell(ui);
        }
    }
    turns_notice(ui);
    for (int i = 0; i < ui->depth; i++) {
        struct ui_layer layer = ui->stack[i];
        if (layer.screen->push != NULL) {
            layer.screen->push(ui, layer.state, type, message);
        }
    }
}

/* Answers a question; true when the key was its. */
static bool question_key(struct ui *ui, const struct press *press)
{
    if (!ui->question.is_open) {
        return false;
    }
    if (press->kind == PRESS_ESCAPE) {
        ui_answer_question(ui, NULL);
    } else if (ui->question.kind == ASK_YES) {
        bool is_yes = press->kind == PRESS_ENTER ||
                      (press->kind == PRESS_CHAR && (press->code == 'y' || press->code == 'Y'));
        bool is_no = press->kind == PRESS_CHAR &&
                     (press->code == 'n' || press->code == 'N' || press->code == 'q');
        if (is_yes || is_no) {
            ui_answer_question(ui, is_yes ? "y" : NULL);
        }
    } else if (press->kind == PRESS_ENTER) {
        ui_answer_question(ui, ui->input.text);
    } else {
        input_key(&ui->input, press, false);
    }
    return true;
}

/* While something is being typed; true when the key belongs to the input line. */
static bool typing_key(struct ui *ui, const struct press *press)
{
    if (!ui->is_typing) {
        return false;
    }
    switch ((int)press->kind) {
    case PRESS_ENTER: {
        char line[INPUT_MAX];
        snprintf(line, sizeof line, "%s", ui->input.text);
        input_remember(&ui->input);
        input_set(&ui->input, "");
        ui->is_typing = false;
        screen_enter_line(ui, line);
        return true;
    }
    case PRESS_ESCAPE:
        input_set(&ui->input, "");
        ui->is_typing = false;
        return true;
    case PRESS_TAB:
        ui_complete(ui);
        return true;
    case PRESS_BACKSPACE:
        ui->is_typing = ui->input.len > 0;
        return input_key(&ui->input, press, true);
    default:
        return input_key(&ui->input, press, true);
    }
}

static bool top_key(struct ui *ui, const struct press *press)
{
    struct ui_layer *layer = ui_layer_top(ui);
    return layer->screen->key != NULL && layer->screen->key(ui, layer->state, press);
}

static void typing_start(struct ui *ui, const struct press *press)
{
    if (press != NULL && !input_key(&ui->input, press, true)) {
        return;
    }
    ui->is_typing = true;
}

static bool begins_typing(const struct ui *ui, const struct press *press)
{
    switch ((int)press->kind) {
    case PRESS_ENTER:
        return true;
    case PRESS_CLICK:
        return press->row == display_rows(ui->display) - 2;
    case PRESS_CHAR:
        return press->code == 'c' || press->code == ' ';
    default:
        return false;
    }
}

/* What a key does when nothing is being typed and the screen does not want it. */
static void usual_key(struct ui *ui, const struct press *press)
{
    bool is_character = press->kind == PRESS_CHAR;
    bool is_q = is_character && press->code == 'q';
    if (begins_typing(ui, press)) {
        typing_start(ui, NULL);
    } else if (is_q && ui->depth == 1) {
        screen_quit(ui);
    } else if (is_q || press->kind == PRESS_ESCAPE) {
        screen_close(ui);
    } else if (is_character && press->code == '?') {
        screen_open(ui, "help", 0);
    } else if (is_character && press->code > ' ') {
        typing_start(ui, press);
    }
}

/* Keys that mean the same whatever is open. */
static bool global_key(struct ui *ui, const struct press *press)
{
    if (press->kind != PRESS_CHAR) {
        return false;
    }
    if (press->code == CTRL('L')) {
        display_redraw(ui->display);
        return true;
    }
    bool is_empty = ui->input.len == 0;
    if (press->code == CTRL('C') || (press->code == CTRL('D') && is_empty)) {
        bool is_busy = ui->is_typing && !is_empty;
        input_set(&ui->input, "");
        ui->is_typing = false;
        if (!is_busy) {
            screen_quit(ui);
        }
        return true;
    }
    return false;
}

static void key_take(struct ui *ui, const struct press *press)
{
    bool is_moving = press->kind == PRESS_PAGE_UP || press->kind == PRESS_PAGE_DOWN ||
                     press->kind >= PRESS_CLICK;
    if (ui->is_notice_brief) {
        ui->notice_end_ms = 0;
    }
    if (global_key(ui, press) || question_key(ui, press)) {
        return;
    }
    if (is_moving && top_key(ui, press)) {
        return;
    }
    if (!typing_key(ui, press) && (is_moving || !top_key(ui, press))) {
        usual_key(ui, press);
    }
}

/* How many bytes at the end begin a character whose rest has not come yet. */
static size_t torn_bytes(const uint8_t *bytes, size_t len)
{
    for (size_t back = 1; back <= len && back < UI_TORN_MAX; back++) {
        uint8_t byte = bytes[len - back];
        size_t whole = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        if ((byte & 0xC0) != 0x80) {
            return whole > back ? back : 0;
        }
    }
    return 0;
}

/* Gives curses whole characters and answers the keys it makes of them. */
static void keys_feed(struct ui *ui, const uint8_t *bytes, size_t len)
{
    while (len > 0 && !ui->is_done) {
        size_t taken = display_feed(ui->display, bytes, len);
        struct press press;
        bool is_any = false;
        while (!ui->is_done && display_key(ui->display, &press)) {
            is_any = true;
            key_take(ui, &press);
        }
        if (taken == 0 && !is_any) {
            return; /* curses' end is broken: nothing typed can reach it */
        }
        bytes += taken;
        len -= taken;
    }
}

/* Without the bytes that are no UTF-8: curses would stop at them until the next key. */
static void keys_take(struct ui *ui, const uint8_t *bytes, size_t len)
{
    size_t start = 0, at = 0;
    while (at < len) {
        utf8proc_int32_t code;
        utf8proc_ssize_t step = utf8proc_iterate(bytes + at, (utf8proc_ssize_t)(len - at), &code);
        if (step > 0) {
            at += (size_t)step;
            continue;
        }
        keys_feed(ui, bytes + start, at - start);
        start = ++at;
    }
    keys_feed(ui, bytes + start, at - start);
}

void ui_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms)
{
    time_set(ui, now_ms);
    ui->is_dirty = true;
    ui->is_urgent = true;
    for (; ui->torn_len > 0 && len > 0; bytes++, len--) {
        ui->torn[ui->torn_len++] = *bytes;
        size_t torn = torn_bytes(ui->torn, ui->torn_len);
        size_t whole = ui->torn_len - torn;
        keys_take(ui, ui->torn, whole);
        memmove(ui->torn, ui->torn + whole, torn);
        ui->torn_len = torn; /* at most 3: a fourth byte ends any character */
    }
    size_t torn = torn_bytes(bytes, len);
    keys_take(ui, bytes, len - torn);
    if (torn > 0) {
        memcpy(ui->torn, bytes + len - torn, torn);
        ui->torn_len = torn;
    }
}

void ui_resize(struct ui *ui, int columns, int rows)
{
    display_resize(ui->display, columns, rows);
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
    int64_t wake = sooner(ui, INT64_MAX, ui->notice_end_ms);
    if (layer->screen->next_ms != NULL) {
        wake = sooner(ui, wake, layer->screen->next_ms(ui, layer->state));
    }
    return since_ms != INT64_MAX ? sooner(ui, wake, since_ms + UI_LATE_MS) : wake;
}

void ui_tick(struct ui *ui, int64_t now_ms)
{
    time_set(ui, now_ms);
    if (wake_ms(ui) <= now_ms) {
        ui->is_dirty = true;
    }
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
    snprintf(size, sizeof size, _("it is %dx%d"), display_columns(ui->display),
             display_rows(ui->display));
    draw_text_centre(canvas, row + 1, 0, width, STYLE_PLAIN, size);
    snprintf(size, sizeof size, _("make it %dx%d"), DISPLAY_COLUMNS_MIN, DISPLAY_ROWS_MIN);
    draw_text_centre(canvas, row + 2, 0, width, STYLE_PLAIN, size);
}

void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out)
{
    time_set(ui, now_ms);
    int rows = display_rows(ui->display), columns = display_columns(ui->display);
    int cursor_row = 0, cursor_column = 0;
    struct canvas canvas = {&ui->theme, {0, 0, rows, columns}};
    display_clear(ui->display, &ui->theme);
    if (ui->notice_end_ms > 0 && ui->notice_end_ms <= now_ms) {
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
    ui->painted_ms = now_ms;
    ui->is_dirty = !display_paint(ui->display, cursor_row, cursor_column, out);
    ui->is_urgent = false;
    signals_send(ui, out);
}

bool ui_is_done(const struct ui *ui)
{
    return ui->is_done;
}

void ui_end(struct ui *ui, struct bytes *out)
{
    display_end(ui->display, out);
    char line[MODEL_TEXT_MAX * 2];
    if (ui->model->is_over) {
        snprintf(line, sizeof line, "%s\r\n", ui->model->bye);
    } else if (ui->model->you.name[0] != '\0') {
        snprintf(line, sizeof line, _("Goodbye, %s. %s is open whenever you are.\r\n"),
                 ui->model->you.name, ui->model->house);
    } else {
        snprintf(line, sizeof line, _("Goodbye. %s is open whenever you are.\r\n"),
                 ui->model->house);
    }
    if (!bytes_add(out, line, strlen(line))) {
        return;
    }
}
