#include "daemon/screens/kernel/ui.h"

#include "daemon/screens/kernel/ui_state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Plain mode: makes lines of the keys pressed, and carries the lines out. */

#define CTRL(letter) ((letter) - 'A' + 1)
#define AT_ONCE 20 /* the most lines that are carried out before other events are handled */

static void echo_text(struct ui *ui, const char *text)
{
    if (ui->plain.line_mode.is_echoed) {
        bool is_shown = bytes_add(&ui->plain.shown, text, strlen(text));
        (void)is_shown; /* text that does not fit is lost: the reader is far behind anyway */
        ui->is_dirty = true;
    }
}

/* Ends the line on the terminal; the prompt will be written again below it. */
static void end_prompt_line(struct ui *ui)
{
    echo_text(ui, "\r\n");
    ui->plain.is_prompted = false;
}

static void erase_last_character(struct ui *ui)
{
    const struct press press = {.kind = PRESS_BACKSPACE};
    int before = input_get_cursor_column(&ui->input);
    input_handle_key(&ui->input, &press, false);
    for (int i = input_get_cursor_column(&ui->input); i < before && !ui_plain_hides_typing(ui);
         i++) {
        echo_text(ui, "\b \b");
    }
}

static void insert_character(struct ui *ui, const struct press *press)
{
    size_t before = ui->input.len;
    input_handle_key(&ui->input, press, false);
    if (!ui_plain_hides_typing(ui)) {
        echo_text(ui, ui->input.text + before);
    }
}

/* Answers the open question with a line. False if the line is not a valid answer. */
static bool answer_question(struct ui *ui, const char *line)
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
    case ASK_SURE:
        if (is_yes || is_no) {
            ui_answer_question(ui, is_yes ? "y" : NULL);
        }
        return is_yes || is_no;
    case ASK_KEYS:
        if (ui_answer_question_by_key(ui, line)) {
            return true;
        }
        is_no = strcasecmp(line, "n") == 0 || strcasecmp(line, "no") == 0;
        if (is_no) {
            ui_answer_question(ui, NULL);
        }
        return is_no;
    }
    return false;
}

static void handle_line_during_question(struct ui *ui, const char *line)
{
    bool is_secret = ui->question.kind == ASK_SECRET;
    if (strcmp(line, "/back") == 0) {
        ui_answer_question(ui, NULL);
    } else if (line[0] == '/' && !is_secret) {
        uint32_t serial = ui->question.serial;
        command_run(ui, line);
        if (ui->question.is_open && ui->question.serial == serial) {
            ui_plain_repeat_question(ui);
        }
    } else if (!answer_question(ui, line)) {
        ui_plain_repeat_question(ui);
    }
}

/* True on the screens that show chat, so that people see the answers to what they write. */
static bool is_chat_allowed_here(const struct ui *ui)
{
    const char *name = ui->stack[ui->depth - 1].screen->name;
    return strcmp(name, "lobby") == 0 || strcmp(name, "table") == 0;
}

static void handle_line_without_question(struct ui *ui, const char *line)
{
    struct ui_layer *layer = ui_top_layer(ui);
    if (line[0] == '/') {
        command_run(ui, line);
    } else if (layer->screen->line != NULL && layer->screen->line(ui, layer->state, line)) {
        return;
    } else if (line[0] != '\0' && is_chat_allowed_here(ui)) {
        screen_carry_out_line(ui, line);
    } else {
        screen_print_top_again(ui);
    }
}

/* Carries out the typed line. Removes surrounding blanks, except from a password. */
static void carry_out_typed_line(struct ui *ui)
{
    char line[INPUT_MAX];
    size_t blanks = ui_plain_hides_typing(ui) ? 0 : strspn(ui->input.text, " ");
    snprintf(line, sizeof(line), "%s", ui->input.text + blanks);
    for (size_t len = strlen(line); !ui_plain_hides_typing(ui) && len > 0 && line[len - 1] == ' ';
         len--) {
        line[len - 1] = '\0';
    }
    explicit_bzero(ui->input.text, sizeof(ui->input.text));
    input_set_text(&ui->input, "");
    end_prompt_line(ui);
    if (ui->question.is_open) {
        handle_line_during_question(ui, line);
    } else {
        handle_line_without_question(ui, line);
    }
    explicit_bzero(line, sizeof(line));
}

static void handle_ctrl_c(struct ui *ui)
{
    bool is_empty = ui->input.len == 0;
    input_set_text(&ui->input, "");
    end_prompt_line(ui);
    if (is_empty) {
        screen_ask_before_quitting(ui);
    }
}

static void complete_word(struct ui *ui)
{
    if (ui->plain.line_mode.is_echoed && !ui->question.is_open) {
        ui_complete_word(ui);
        end_prompt_line(ui);
    }
}

static void handle_character(struct ui *ui, const struct press *press)
{
    switch (press->code) {
    case CTRL('U'):
        while (ui->input.len > 0) {
            erase_last_character(ui);
        }
        break;
    case CTRL('C'):
        handle_ctrl_c(ui);
        break;
    case CTRL('D'):
        if (ui->input.len == 0) {
            screen_ask_before_quitting(ui);
        }
        break;
    default:
        if (press->code >= ' ') {
            insert_character(ui, press);
        }
        break;
    }
}

void ui_plain_handle_key(struct ui *ui, const struct press *press)
{
    switch ((int)press->kind) {
    case PRESS_CHAR:
    case PRESS_PASTED:
        handle_character(ui, press);
        break;
    case PRESS_ENTER:
        carry_out_typed_line(ui);
        break;
    case PRESS_BACKSPACE:
        erase_last_character(ui);
        break;
    case PRESS_TAB:
        complete_word(ui);
        break;
    default:
        break;
    }
}

/* Carries out the next complete line; at the end of input also an incomplete one. */
static void carry_out_next_line(struct ui *ui)
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
        ui_take_typed_bytes(ui, (const uint8_t *)line, part);
        at += part;
    }
    explicit_bzero(line, sizeof(line));
    explicit_bzero(typed->at, len);
    bytes_drop_first(typed, len);
    ui->plain.line_ms = ui->now_ms;
}

/* True if the top screen can be closed: it takes no input, is printed, and waits for no answer. */
static bool may_close_top_screen(struct ui *ui)
{
    const struct ui_layer *layer = ui_top_layer(ui);
    return ui->depth > 1 && layer->is_printed && layer->screen->line == NULL &&
           !ui->question.is_open && !ui_layer_awaits_answer(ui, layer);
}

static void print_top_screen(struct ui *ui)
{
    struct ui_layer *layer = ui_top_layer(ui);
    if (ui->going_back != 0) {
        return; /* the lobby is not printed on the way back to a table */
    }
    if (!layer->is_printed &&
        (layer->screen->print == NULL ||
         layer->screen->print(ui, layer->state, screen_get_plain_lines(ui)))) {
        ui_top_layer(ui)->is_printed = true;
    }
    if (may_close_top_screen(ui)) {
        screen_close(ui);
    }
    layer = ui_top_layer(ui);
    ui->plain.pass_ms =
        layer->screen->pass != NULL ? layer->screen->pass(ui, layer->state) : INT64_MAX;
}

/* True if there is a line, and what the line before has opened was printed or asks something. */
static bool may_carry_out_line(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    bool is_shown = ui->question.is_open || ui->stack[ui->depth - 1].is_printed ||
                    ui->now_ms - plain->line_ms >= PLAIN_BUSY_MS;
    return plain->typed.len > 0 && is_shown && !ui_plain_awaits_answer(ui) && !ui->is_done;
}

void ui_plain_carry_out_lines(struct ui *ui)
{
    struct plain *plain = &ui->plain;
    if (!plain->is_on || ui->depth == 0) {
        bytes_drop_first(
            &plain->typed,
            plain->typed.len); /* discarded: lines typed in plain mode are not for drawn screens */
        return;
    }
    plain->begin_ms = plain->begin_ms == 0 ? ui->now_ms : plain->begin_ms;
    print_top_screen(ui);
    for (int i = 0; i < AT_ONCE && plain->is_on && may_carry_out_line(ui); i++) {
        carry_out_next_line(ui);
        print_top_screen(ui);
    }
    bool is_top_printed =
        ui_top_layer(ui)->is_printed || ui->now_ms - plain->end_ms >= PLAIN_BUSY_MS;
    bool is_over = plain->is_ended || (plain->is_leaving && !ui->question.is_open);
    if (is_over && plain->typed.len == 0 && !ui_plain_awaits_answer(ui) && is_top_printed) {
        ui->is_done = true;
    }
}

int64_t ui_plain_next_event_at_ms(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    if (may_carry_out_line(ui)) {
        return ui->now_ms + 1;
    }
    bool is_waiting =
        plain->typed.len > 0 || plain->is_ended || plain->is_leaving || ui_plain_awaits_answer(ui);
    int64_t busy_ms = is_waiting ? ui->now_ms + PLAIN_BUSY_MS : INT64_MAX;
    return busy_ms < plain->pass_ms ? busy_ms : plain->pass_ms;
}
