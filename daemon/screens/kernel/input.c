#include "daemon/screens/kernel/ui.h"

#include "daemon/screens/drawing/draw.h"

#include <stdlib.h>
#include <string.h>
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
