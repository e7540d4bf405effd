#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/command.h"
#include "daemon/screens/kernel/ui_state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Plain mode: from typed bytes to lines, and what a line does. */

#define CTRL(letter) ((letter) - 'A' + 1)
#define ESCAPE 0x1B
#define DELETE 0x7F
#define AT_ONCE 20   /* lines carried out before the next turn of the session */
#define BUSY_MS 3000 /* how long what is typed waits for an answer */

/* Keys of terminals that send several bytes: passed over. */
enum escape {
    ESCAPE_NONE,
    ESCAPE_BEGUN,
    ESCAPE_SEQUENCE,
};

bool ui_is_secret(const struct ui *ui)
{
    return ui->plain.is_on && ui->question.is_open && ui->question.kind == ASK_SECRET;
}

static void echo(struct ui *ui, const char *text)
{
    if (ui->plain.how.is_echoed) {
        bool is_shown = bytes_add(&ui->plain.shown, text, strlen(text));
        (void)is_shown; /* a reader that far behind sees nothing of it anyway */
        ui->is_dirty = true;
    }
}

/* The line goes on below: the prompt is written anew, with what is typed by then. */
static void leave_line(struct ui *ui)
{
    echo(ui, "\r\n");
    ui->plain.is_prompted = false;
}

static void erase(struct ui *ui)
{
    const struct press press = {.kind = PRESS_BACKSPACE};
    int before = input_cursor_column(&ui->input);
    input_key(&ui->input, &press, false);
    for (int i = input_cursor_column(&ui->input); i < before && !ui_is_secret(ui); i++) {
        echo(ui, "\b \b");
    }
}

static void insert(struct ui *ui, uint32_t code)
{
    const struct press press = {.kind = PRESS_CHAR, .code = code};
    size_t before = ui->input.len;
    input_key(&ui->input, &press, false);
    if (!ui_is_secret(ui)) {
        echo(ui, ui->input.text + before);
    }
}

static bool answer_keys(struct ui *ui, const char *line)
{
    for (const struct ask_key *key = ui->question.keys; key->key != NULL; key++) {
        if (strcasecmp(line, key->key) == 0) {
            ui_answer_question(ui, key->key);
            return true;
        }
    }
    return false;
}

/* Whether the line answers the question; it may be a command instead. */
static bool answer(struct ui *ui, const char *line)
{
    bool is_yes = line[0] == 'y' || line[0] == 'Y';
    bool is_no = line[0] == 'n' || line[0] == 'N';
    switch (ui->question.kind) {
    case ASK_WORDS:
        ui_answer_question(ui, line[0] != '\0' ? line : ui->plain.suggested);
        return true;
    case ASK_SECRET:
        ui_answer_question(ui, line);
        return true;
    case ASK_YES:
        if (is_yes || is_no) {
            ui_answer_question(ui, is_yes ? "y" : NULL);
        }
        return is_yes || is_no;
    case ASK_KEYS:
        break;
    }
    return answer_keys(ui, line);
}

static void line_answer(struct ui *ui, const char *line)
{
    bool is_secret = ui->question.kind == ASK_SECRET;
    if (strcmp(line, "/back") == 0) {
        ui_answer_question(ui, NULL);
    } else if (line[0] == '/' && !is_secret) {
        uint32_t serial = ui->question.serial;
        command_run(ui, line);
        if (ui->question.is_open && ui->question.serial == serial) {
            ui_plain_ask_again(ui);
        }
    } else if (!answer(ui, line)) {
        ui_plain_ask_again(ui);
    }
}

/* Talk goes where one sees the talk. */
static bool may_talk(const struct ui *ui)
{
    const char *name = ui->stack[ui->depth - 1].screen->name;
    return strcmp(name, "lobby") == 0 || strcmp(name, "table") == 0;
}

static void line_carry_out(struct ui *ui, const char *line)
{
    struct ui_layer *layer = ui_layer_top(ui);
    if (line[0] == '/') {
        command_run(ui, line);
    } else if (layer->screen->line != NULL && layer->screen->line(ui, layer->state, line)) {
        return;
    } else if (line[0] != '\0' && may_talk(ui)) {
        screen_enter_line(ui, line);
    } else {
        screen_retell(ui);
    }
}

/* Without blanks around it, but for a password. */
static void line_take(struct ui *ui)
{
    char line[INPUT_MAX];
    size_t blanks = ui_is_secret(ui) ? 0 : strspn(ui->input.text, " ");
    snprintf(line, sizeof(line), "%s", ui->input.text + blanks);
    for (size_t len = strlen(line); !ui_is_secret(ui) && len > 0 && line[len - 1] == ' '; len--) {
        line[len - 1] = '\0';
    }
    explicit_bzero(ui->input.text, sizeof(ui->input.text));
    input_set(&ui->input, "");
    leave_line(ui);
    if (ui->question.is_open) {
        line_answer(ui, line);
    } else {
        line_carry_out(ui, line);
    }
    explicit_bzero(line, sizeof(line));
}

static void interrupt(struct ui *ui)
{
    bool is_empty = ui->input.len == 0;
    input_set(&ui->input, "");
    leave_line(ui);
    if (is_empty) {
        screen_quit(ui);
    }
}

static void complete(struct ui *ui)
{
    if (ui->plain.how.is_echoed && !ui->question.is_open) {
        ui_complete(ui);
        leave_line(ui);
    }
}

/* True while the bytes of a key that is no character go on. */
static bool is_escape(struct plain *plain, uint32_t code)
{
    if (code == ESCAPE) {
        plain->escape = ESCAPE_BEGUN;
        return true;
    }
    if (plain->escape == ESCAPE_NONE) {
        return false;
    }
    bool is_introducer = plain->escape == ESCAPE_BEGUN && (code == '[' || code == 'O');
    bool is_final = code >= '@' && code <= '~' && !is_introducer;
    plain->escape = is_introducer ? ESCAPE_SEQUENCE : is_final ? ESCAPE_NONE : plain->escape;
    return true;
}

void ui_plain_type(struct ui *ui, uint32_t code)
{
    struct plain *plain = &ui->plain;
    bool is_rest_of_cr = plain->last == '\r' && code == '\n';
    plain->last = code < ' ' ? (uint8_t)code : 0;
    if (is_rest_of_cr || is_escape(plain, code)) {
        return;
    }
    switch (code) {
    case '\r':
    case '\n':
        line_take(ui);
        break;
    case '\b':
    case DELETE:
        erase(ui);
        break;
    case CTRL('U'):
        while (ui->input.len > 0) {
            erase(ui);
        }
        break;
    case CTRL('C'):
        interrupt(ui);
        break;
    case CTRL('D'):
        if (ui->input.len == 0) {
            screen_quit(ui);
        }
        break;
    case '\t':
        complete(ui);
        break;
    default:
        if (code >= ' ') {
            insert(ui, code);
        }
        break;
    }
}

/* An answer is due, or the house's first words are. */
bool ui_plain_is_busy(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    int64_t since_ms = ui_waiting_since(ui);
    if (ui->model->you.name[0] != '\0' && !plain->has_house) {
        since_ms = plain->begin_ms < since_ms ? plain->begin_ms : since_ms;
    }
    return since_ms != INT64_MAX && ui->now_ms - since_ms < BUSY_MS;
}

/* The next line typed, or all there is of it. */
static void carry_out_next(struct ui *ui)
{
    struct bytes *typed = &ui->plain.typed;
    size_t len = 0;
    while (len < typed->len && typed->at[len] != '\r' && typed->at[len] != '\n') {
        len++;
    }
    len += len < typed->len ? 1 : 0;
    char line[INPUT_MAX];
    for (size_t at = 0; at < len;) {
        size_t part = len - at < sizeof(line) ? len - at : sizeof(line);
        memcpy(line, typed->at + at, part);
        ui_take_typed(ui, (const uint8_t *)line, part);
        at += part;
    }
    explicit_bzero(line, sizeof(line));
    explicit_bzero(typed->at, len);
    bytes_drop(typed, len);
}

/* What only tells has been left once it has told, and nothing it asked is open. */
static bool leaves_top(struct ui *ui)
{
    const struct ui_layer *layer = ui_layer_top(ui);
    return ui->depth > 1 && layer->is_told && layer->screen->line == NULL &&
           !ui->question.is_open && !ui_layer_is_waiting(ui, layer);
}

static void tell_top(struct ui *ui)
{
    struct ui_layer *layer = ui_layer_top(ui);
    if (ui->going_back != 0) {
        return; /* nobody is to hear of the lobby on the way through it */
    }
    if (!layer->is_told &&
        (layer->screen->tell == NULL || layer->screen->tell(ui, layer->state, screen_lines(ui)))) {
        ui_layer_top(ui)->is_told = true;
    }
    if (leaves_top(ui)) {
        screen_close(ui);
    }
    layer = ui_layer_top(ui);
    ui->plain.pass_ms =
        layer->screen->pass != NULL ? layer->screen->pass(ui, layer->state) : INT64_MAX;
}

static bool may_carry_out(const struct ui *ui)
{
    return ui->plain.typed.len > 0 && !ui_plain_is_busy(ui) && !ui->is_done;
}

void ui_plain_go_on(struct ui *ui)
{
    struct plain *plain = &ui->plain;
    if (!plain->is_on || ui->depth == 0) {
        bytes_drop(&plain->typed, plain->typed.len); /* it was meant for lines */
        return;
    }
    plain->begin_ms = plain->begin_ms == 0 ? ui->now_ms : plain->begin_ms;
    tell_top(ui);
    for (int i = 0; i < AT_ONCE && plain->is_on && may_carry_out(ui); i++) {
        carry_out_next(ui);
        tell_top(ui);
    }
    bool has_told = ui_layer_top(ui)->is_told || ui->now_ms - plain->end_ms >= BUSY_MS;
    bool is_over = plain->is_ended || (plain->is_leaving && !ui->question.is_open);
    if (is_over && plain->typed.len == 0 && !ui_plain_is_busy(ui) && has_told) {
        ui->is_done = true;
    }
}

int64_t ui_plain_wake_ms(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    if (may_carry_out(ui)) {
        return ui->now_ms + 1;
    }
    bool is_waiting =
        plain->typed.len > 0 || plain->is_ended || plain->is_leaving || ui_plain_is_busy(ui);
    int64_t busy_ms = is_waiting ? ui->now_ms + BUSY_MS : INT64_MAX;
    return busy_ms < plain->pass_ms ? busy_ms : plain->pass_ms;
}

void ui_leave_after(struct ui *ui)
{
    ui->plain.is_leaving = true;
    ui_layer_top(ui)->is_told = true; /* nobody has come to look around */
    ui->plain.end_ms = ui->now_ms;
}

void ui_end_input(struct ui *ui, int64_t now_ms)
{
    if (!ui->plain.is_ended) {
        ui->plain.is_ended = true;
        ui->plain.end_ms = now_ms;
        ui_tick(ui, now_ms);
    }
}
