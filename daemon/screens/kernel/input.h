#pragma once

#include "daemon/screens/drawing/press.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The input line: one line of UTF-8 with a cursor between characters, and the history of earlier
 * lines. It knows neither commands nor the terminal.
 */
#define INPUT_MAX 401 /* with the NUL: a chat line has at most 400 bytes */
#define INPUT_HISTORY_MAX 50

struct input {
    char text[INPUT_MAX];
    size_t len;
    size_t cursor;                    /* byte offset */
    char *history[INPUT_HISTORY_MAX]; /* oldest first */
    int history_count;
    int history_at;        /* the line shown; history_count: the one being typed */
    char draft[INPUT_MAX]; /* the line that was being typed before going back */
};

void input_init(struct input *input);
void input_clear(struct input *input);

/* Replaces the text and puts the cursor at its end. A longer text is truncated between
 * characters. */
void input_set(struct input *input, const char *text);

/* Edits the line; true if the key was a character or is used for editing. Enter, Tab and Esc are
 * not. With is_history, up and down recall earlier lines. */
bool input_handle_key(struct input *input, const struct press *press, bool is_history);

/* Replaces the bytes from `from` to the cursor. */
void input_replace(struct input *input, size_t from, const char *text);

/* Adds the text to the history. */
void input_add_to_history(struct input *input);

/* Columns from the beginning to the cursor. */
int input_cursor_column(const struct input *input);
