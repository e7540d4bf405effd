#pragma once

#include "daemon/screens/drawing/press.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The input line: one line of UTF-8 text with a cursor, and the history of earlier lines. It knows
 * neither commands nor the terminal.
 */
#define INPUT_MAX 401 /* size in bytes, including the NUL; a chat line has at most 400 bytes */
#define INPUT_HISTORY_MAX 50

struct input {
    char text[INPUT_MAX];
    size_t len;
    size_t cursor;                    /* position of the cursor in bytes */
    char *history[INPUT_HISTORY_MAX]; /* earlier lines, the oldest first */
    int history_count;
    int history_at; /* index of the earlier line that is shown; history_count if the line being
                       typed is shown */
    char draft[INPUT_MAX]; /* the line being typed, kept while an earlier one is shown */
};

void input_init(struct input *input);
void input_clear(struct input *input);

/* Replaces the text and puts the cursor at its end. A longer text is truncated between
 * characters. */
void input_set_text(struct input *input, const char *text);

/* Edits the line. Pasted lines become one, with spaces between them. True if the key was a
 * character or an editing key; Enter, Tab and Esc are neither. With recalls_history, up and down
 * recall earlier lines. */
bool input_handle_key(struct input *input, const struct press *press, bool recalls_history);

/* Replaces the bytes from `start` to the cursor by a text. */
void input_replace_before_cursor(struct input *input, size_t start, const char *text);

/* Adds the current text to the history, unless it repeats the last line. */
void input_add_to_history(struct input *input);

/* Returns the number of columns before the cursor. */
int input_get_cursor_column(const struct input *input);
