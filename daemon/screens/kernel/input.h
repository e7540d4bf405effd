#pragma once

#include "daemon/screens/drawing/press.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The input line: one line of UTF-8 being typed, with a cursor that stands between characters, and
 * the lines entered before. Knows neither commands nor the terminal.
 */
#define INPUT_MAX 401 /* with the NUL: chat takes 400 bytes */
#define INPUT_HISTORY_MAX 50

struct input {
    char text[INPUT_MAX];
    size_t len;
    size_t cursor;                    /* byte offset */
    char *history[INPUT_HISTORY_MAX]; /* oldest first */
    int history_count;
    int history_at;        /* the line shown; history_count: the one being typed */
    char draft[INPUT_MAX]; /* what was being typed before going back */
};

void input_init(struct input *input);
void input_clear(struct input *input);

/* Replaces the text; the cursor goes to its end. Cut at a character to fit. */
void input_set(struct input *input, const char *text);

/* Edits; true when the key was one of editing's or a character. Enter, Tab and Esc are not. With
 * is_history up and down go through the lines entered before. */
bool input_key(struct input *input, const struct press *press, bool is_history);

/* Replaces the bytes from `from` to the cursor. */
void input_replace(struct input *input, size_t from, const char *text);

/* Keeps the text as the newest line of the history. */
void input_remember(struct input *input);

/* Columns from the beginning to the cursor. */
int input_cursor_column(const struct input *input);
