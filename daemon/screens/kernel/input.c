#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>
#include <wchar.h>

#define CTRL(letter) ((letter) - 'A' + 1)

void input_init(struct input *input)
{
    memset(input, 0, sizeof *input);
}

void input_clear(struct input *input)
{
    for (int i = 0; i < input->history_count; i++) {
        free(input->history[i]);
    }
    input_init(input);
}

static bool is_continuation_byte(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* True for a combining mark: the cursor moves over a character together with its marks. */
static bool is_combining_mark(const char *character)
{
    utf8proc_int32_t code;
    return utf8proc_iterate((const utf8proc_uint8_t *)character, -1, &code) > 0 && code >= 0x80 &&
           wcwidth((wchar_t)code) == 0;
}

static size_t find_previous_character(const struct input *input, size_t position)
{
    while (position > 0) {
        position--;
        if (!is_continuation_byte(input->text[position]) &&
            !is_combining_mark(input->text + position)) {
            break;
        }
    }
    return position;
}

static size_t find_next_character(const struct input *input, size_t position)
{
    while (position < input->len) {
        position++;
        if (position == input->len || (!is_continuation_byte(input->text[position]) &&
                                       !is_combining_mark(input->text + position))) {
            break;
        }
    }
    return position;
}

static void delete_range(struct input *input, size_t from, size_t to)
{
    memmove(input->text + from, input->text + to, input->len - to + 1);
    input->len -= to - from;
    input->cursor = from;
}

static void insert_bytes(struct input *input, const char *bytes, size_t len)
{
    if (input->len + len >= INPUT_MAX) {
        return;
    }
    char *at = input->text + input->cursor;
    memmove(at + len, at, input->len - input->cursor + 1);
    memcpy(at, bytes, len);
    input->len += len;
    input->cursor += len;
}

static void insert_text(struct input *input, const char *text)
{
    while (*text != '\0') {
        utf8proc_int32_t code;
        utf8proc_ssize_t len = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
        if (len <= 0) {
            text++;
            continue;
        }
        insert_bytes(input, text, (size_t)len);
        text += len;
    }
}

void input_set_text(struct input *input, const char *text)
{
    input->len = 0;
    input->cursor = 0;
    input->text[0] = '\0';
    input->history_at = input->history_count;
    insert_text(input, text);
}

void input_replace_before_cursor(struct input *input, size_t start, const char *text)
{
    delete_range(input, start, input->cursor);
    insert_text(input, text);
}

static size_t find_word_start(const struct input *input)
{
    size_t at = input->cursor;
    while (at > 0 && input->text[at - 1] == ' ') {
        at--;
    }
    while (at > 0 && input->text[at - 1] != ' ') {
        at--;
    }
    return at;
}

/* Types a character, or edits the line if it is a control character. False for any other key. */
static bool handle_character_key(struct input *input, uint32_t code)
{
    switch (code) {
    case CTRL('A'):
        input->cursor = 0;
        return true;
    case CTRL('E'):
        input->cursor = input->len;
        return true;
    case CTRL('U'):
        delete_range(input, 0, input->cursor);
        return true;
    case CTRL('K'):
        delete_range(input, input->cursor, input->len);
        return true;
    case CTRL('W'):
        delete_range(input, find_word_start(input), input->cursor);
        return true;
    case CTRL('D'):
        delete_range(input, input->cursor, find_next_character(input, input->cursor));
        return true;
    default:
        break;
    }
    utf8proc_uint8_t bytes[4];
    if (code < ' ' || !utf8proc_codepoint_valid((utf8proc_int32_t)code) ||
        wcwidth((wchar_t)code) < 0) {
        return false;
    }
    utf8proc_ssize_t len = utf8proc_encode_char((utf8proc_int32_t)code, bytes);
    insert_bytes(input, (const char *)bytes, (size_t)len);
    return true;
}

static void recall_history_line(struct input *input, int line_index)
{
    if (line_index < 0 || line_index > input->history_count || line_index == input->history_at) {
        return;
    }
    if (input->history_at == input->history_count) {
        memcpy(input->draft, input->text, sizeof input->draft);
    }
    input_set_text(input,
                   line_index < input->history_count ? input->history[line_index] : input->draft);
    input->history_at = line_index;
}

bool input_handle_key(struct input *input, const struct press *press, bool recalls_history)
{
    switch ((int)press->kind) {
    case PRESS_PASTED:
        if (press->is_after_break && input->len > 0) {
            insert_bytes(input, " ", 1);
        }
        return handle_character_key(input, press->code);
    case PRESS_CHAR:
        return handle_character_key(input, press->code);
    case PRESS_LEFT:
        input->cursor = find_previous_character(input, input->cursor);
        return true;
    case PRESS_RIGHT:
        input->cursor = find_next_character(input, input->cursor);
        return true;
    case PRESS_HOME:
        input->cursor = 0;
        return true;
    case PRESS_END:
        input->cursor = input->len;
        return true;
    case PRESS_BACKSPACE:
        delete_range(input, find_previous_character(input, input->cursor), input->cursor);
        return true;
    case PRESS_DELETE:
        delete_range(input, input->cursor, find_next_character(input, input->cursor));
        return true;
    case PRESS_UP:
    case PRESS_DOWN:
        if (recalls_history) {
            recall_history_line(input, input->history_at + (press->kind == PRESS_UP ? -1 : 1));
        }
        return recalls_history;
    default:
        return false;
    }
}

void input_add_to_history(struct input *input)
{
    int count = input->history_count;
    bool is_again = count > 0 && strcmp(input->history[count - 1], input->text) == 0;
    if (input->len > 0 && !is_again) {
        char *line = strdup(input->text);
        if (line != NULL && count == INPUT_HISTORY_MAX) {
            free(input->history[0]);
            memmove(&input->history[0], &input->history[1],
                    (INPUT_HISTORY_MAX - 1) * sizeof input->history[0]);
            input->history_count = --count;
        }
        if (line != NULL) {
            input->history[count] = line;
            input->history_count = count + 1;
        }
    }
    input->history_at = input->history_count;
}

int input_get_cursor_column(const struct input *input)
{
    char head[INPUT_MAX];
    memcpy(head, input->text, input->cursor);
    head[input->cursor] = '\0';
    return draw_measure_text(head);
}

/* Plain mode: makes lines of the keys pressed, and carries the lines out. */

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

/* Handles a key pressed or a character pasted in plain mode. */
static void ui_plain_handle_key(struct ui *ui, const struct press *press)
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

/* Passes each typed key to an open question, to the input line or to the screen, or handles it as a
 * key that works everywhere. A pasted character is no key. */

/* Handles a key while a question is open; true if a question is open. */
static bool handle_question_key(struct ui *ui, const struct press *press)
{
    if (!ui->question.is_open) {
        return false;
    }
    if (press->kind == PRESS_ESCAPE) {
        ui_answer_question(ui, NULL);
    } else if (ui_question_is_yes_or_no(ui)) {
        bool is_yes = (press->kind == PRESS_ENTER && ui->question.kind == ASK_YES) ||
                      (press->kind == PRESS_CHAR && (press->code == 'y' || press->code == 'Y'));
        if (press->kind < PRESS_CLICK) {
            ui_answer_question(ui, is_yes ? "y" : NULL);
        }
    } else if (ui->question.kind == ASK_KEYS) {
        const char key[] = {(char)press->code, '\0'};
        (void)(press->kind == PRESS_CHAR && press->code < 0x7F &&
               ui_answer_question_by_key(ui, key));
    } else if (press->kind == PRESS_ENTER) {
        ui_answer_question(ui, ui->input.text);
    } else {
        input_handle_key(&ui->input, press, false);
    }
    return true;
}

/* Handles a key while a line is being typed; true if the input line used the key. */
static bool handle_typing_key(struct ui *ui, const struct press *press)
{
    if (!ui->is_typing) {
        return false;
    }
    ui->completion++; /* an answer that is still to come completes nothing */
    switch ((int)press->kind) {
    case PRESS_ENTER: {
        char line[INPUT_MAX];
        snprintf(line, sizeof line, "%s", ui->input.text);
        input_add_to_history(&ui->input);
        input_set_text(&ui->input, "");
        ui->is_typing = false;
        screen_carry_out_line(ui, line);
        return true;
    }
    case PRESS_ESCAPE:
        input_set_text(&ui->input, "");
        ui->is_typing = false;
        return true;
    case PRESS_TAB:
        ui_complete_word(ui);
        return true;
    case PRESS_BACKSPACE:
        ui->is_typing = ui->input.len > 0;
        return input_handle_key(&ui->input, press, true);
    default:
        return input_handle_key(&ui->input, press, true);
    }
}

static bool pass_key_to_top_screen(struct ui *ui, const struct press *press)
{
    struct ui_layer *layer = ui_top_layer(ui);
    return layer->screen->key != NULL && layer->screen->key(ui, layer->state, press);
}

static void start_typing(struct ui *ui, const struct press *press)
{
    if (press != NULL && !input_handle_key(&ui->input, press, true)) {
        return;
    }
    ui->is_typing = true;
}

/* True while every typed character begins a chat line. */
static bool does_top_screen_take_talk(struct ui *ui)
{
    struct ui_layer *layer = ui_top_layer(ui);
    return layer->screen->takes_talk != NULL && layer->screen->takes_talk(ui, layer->state);
}

/* Begins a chat line with a character that was typed while the chat has the keyboard focus. */
static bool handle_talk_key(struct ui *ui, const struct press *press)
{
    if (press->kind != PRESS_CHAR || press->code < ' ' || !does_top_screen_take_talk(ui)) {
        return false;
    }
    start_typing(ui, press->code == ' ' ? NULL : press);
    return true;
}

static bool is_key_that_starts_typing(const struct ui *ui, const struct press *press)
{
    switch ((int)press->kind) {
    case PRESS_CLICK:
        return press->row == display_rows(ui->display) - 2;
    case PRESS_CHAR:
        return press->code == 'c' || press->code == ' ';
    default:
        return false;
    }
}

/* Tells the person that a key has no meaning here, and what the keys are. */
static void explain_keys(struct ui *ui, const struct press *press)
{
    char key[8] = "";
    if (press->kind == PRESS_CHAR) {
        utf8proc_encode_char((utf8proc_int32_t)press->code, (utf8proc_uint8_t *)key);
    }
    struct text keys = TEXT_OF(MODEL_TEXT_MAX);
    const char *name = press->kind == PRESS_ENTER ? _("Enter") : key;
    struct text empty_list = TEXT_OF(MODEL_TEXT_MAX);
    text_format(&empty_list, _("%s does nothing here. Keys: %s"), name, "");
    int width = display_columns(ui->display) - UI_NOTICE_MARGIN - draw_measure_text(empty_list.at);
    ui_write_key_list(ui, width, &keys);
    screen_warn(ui, _("%s does nothing here. Keys: %s"), name, keys.at);
}

/* Handles a key that neither the input line nor the screen used. */
static void handle_unused_key(struct ui *ui, const struct press *press)
{
    bool is_character = press->kind == PRESS_CHAR;
    bool is_q = is_character && press->code == 'q';
    bool is_printable = is_character && press->code > ' ';
    if (is_key_that_starts_typing(ui, press)) {
        start_typing(ui, NULL);
    } else if (is_character && press->code == '/') {
        start_typing(ui, press);
    } else if (is_q && ui->depth == 1) {
        screen_ask_before_quitting(ui);
    } else if (is_q || press->kind == PRESS_ESCAPE) {
        screen_close(ui);
    } else if (is_character && press->code == '?') {
        screen_open(ui, "help", 0);
    } else if (is_printable || press->kind == PRESS_ENTER) {
        explain_keys(ui, press);
    }
}

/* Handles keys that have the same meaning everywhere. */
static bool handle_global_key(struct ui *ui, const struct press *press)
{
    if (press->kind != PRESS_CHAR) {
        return false;
    }
    if (press->code == CTRL('L')) {
        display_force_redraw(ui->display);
        return true;
    }
    bool is_empty = ui->input.len == 0;
    if (press->code == CTRL('C') || (press->code == CTRL('D') && is_empty)) {
        bool is_busy = ui->is_typing && !is_empty;
        input_set_text(&ui->input, "");
        ui->is_typing = false;
        if (!is_busy) {
            screen_ask_before_quitting(ui);
        }
        return true;
    }
    return false;
}

/* Removes a brief notice, because a key was pressed: at once, but a warning of the house, which
 * came unasked, when it could be read. */
static void drop_brief_notice(struct ui *ui)
{
    if (!ui->is_notice_brief || ui->notice_end_ms == 0) {
        return;
    }
    int64_t read_ms = ui->notice_end_ms - UI_NOTICE_MS + UI_NOTICE_READ_MS;
    ui->notice_end_ms = ui->is_notice_of_house ? read_ms : 0;
    ui->is_notice_brief = false;
}

static void handle_key(struct ui *ui, const struct press *press)
{
    bool is_moving = press->kind == PRESS_PAGE_UP || press->kind == PRESS_PAGE_DOWN ||
                     press->kind >= PRESS_CLICK;
    ui_free_closed_screens(ui);
    if (press->kind >= PRESS_CLICK && ui->painted_serial != ui_top_layer(ui)->serial) {
        return; /* the click was aimed at another screen, or the window is too small for any */
    }
    drop_brief_notice(ui);
    if (handle_global_key(ui, press) || handle_question_key(ui, press)) {
        return;
    }
    if (is_moving && pass_key_to_top_screen(ui, press)) {
        return;
    }
    if (!handle_typing_key(ui, press) && !handle_talk_key(ui, press) &&
        (is_moving || !pass_key_to_top_screen(ui, press))) {
        handle_unused_key(ui, press);
    }
}

/* Adds a pasted character to the line being typed, which it begins if there is none. A question
 * that a key answers is not answered by it. */
static void handle_pasted_character(struct ui *ui, const struct press *press)
{
    if (!ui->question.is_open) {
        ui->completion++; /* an answer that is still to come completes nothing */
        ui->is_typing = true;
    } else if (ui_question_is_yes_or_no(ui) || ui->question.kind == ASK_KEYS) {
        return;
    }
    input_handle_key(&ui->input, press, false);
}

static void pass_key(struct ui *ui, const struct press *press)
{
    if (ui->plain.is_on) {
        ui_plain_handle_key(ui, press);
    } else if (press->kind == PRESS_PASTED) {
        handle_pasted_character(ui, press);
    } else {
        handle_key(ui, press);
    }
}

void ui_take_typed_bytes(struct ui *ui, const uint8_t *bytes, size_t len)
{
    struct press press;
    for (size_t i = 0; i < len && !ui->is_done; i++) {
        if (key_parser_take(&ui->keys, bytes[i], ui->now_ms, &press)) {
            pass_key(ui, &press);
        }
    }
}

bool ui_take_overdue_keys(struct ui *ui)
{
    struct press press;
    bool is_any = false;
    while (!ui->is_done && key_parser_expire(&ui->keys, ui->now_ms, &press)) {
        is_any = true;
        pass_key(ui, &press);
    }
    return is_any;
}
