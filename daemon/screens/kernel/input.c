#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

void input_clear(struct input *input)
{
    for (int i = 0; i < input->history_count; i++) {
        free(input->history[i]);
    }
    memset(input, 0, sizeof *input);
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
    case PRESS_CTRL('A'):
        input->cursor = 0;
        return true;
    case PRESS_CTRL('E'):
        input->cursor = input->len;
        return true;
    case PRESS_CTRL('U'):
        delete_range(input, 0, input->cursor);
        return true;
    case PRESS_CTRL('K'):
        delete_range(input, input->cursor, input->len);
        return true;
    case PRESS_CTRL('W'):
        delete_range(input, find_word_start(input), input->cursor);
        return true;
    case PRESS_CTRL('D'):
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
        if (count == INPUT_HISTORY_MAX) {
            free(input->history[0]);
            memmove(&input->history[0], &input->history[1],
                    (INPUT_HISTORY_MAX - 1) * sizeof input->history[0]);
            count--;
        }
        input->history[count] = must_copy_text(input->text);
        input->history_count = count + 1;
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
        return press->row == ui->display->rows - 2;
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
    int width = ui->display->columns - UI_NOTICE_MARGIN - draw_measure_text(empty_list.at);
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
    if (press->code == PRESS_CTRL('L')) {
        display_force_redraw(ui->display);
        return true;
    }
    bool is_empty = ui->input.len == 0;
    if (press->code == PRESS_CTRL('C') || (press->code == PRESS_CTRL('D') && is_empty)) {
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

bool ui_take_typed_bytes(struct ui *ui, const uint8_t *bytes, size_t len)
{
    struct press press;
    bool is_any = len > 0;
    while (len == 0 && !ui->is_done && key_parser_expire(&ui->keys, ui->now_ms, &press)) {
        is_any = true;
        pass_key(ui, &press);
    }
    for (size_t i = 0; i < len && !ui->is_done; i++) {
        if (key_parser_take(&ui->keys, bytes[i], ui->now_ms, &press)) {
            pass_key(ui, &press);
        }
    }
    return is_any;
}
