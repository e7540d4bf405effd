#pragma once

#include "daemon/base/bytes.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/theme.h"
#include "daemon/screens/kernel/input.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The state of plain mode: lines not shown yet, and the line being typed. There is a prompt only if
 * we echo; new lines are printed above it, and the typed text is written again. Typed lines wait
 * while an answer is outstanding, so that each command sees the result of the one before. So a file
 * of commands works as if typed.
 */
struct plain {
    bool is_on; /* in plain mode now, by choice or because the terminal supports nothing else */
    struct ui_lines how; /* the terminal's */
    struct theme theme;  /* cards by letters, suits by name */
    int columns;
    bool was_drawn;                /* a drawn screen must be cleared from the terminal */
    struct lines lines;            /* lines printed */
    struct bytes shown;            /* output for the terminal: lines and echo */
    struct bytes typed;            /* input, not processed yet */
    char question[LINES_LINE_MAX]; /* the prompt on the terminal, and how to answer it */
    char suggested[INPUT_MAX];     /* the answer to the open question that Enter alone gives */
    bool is_prompted; /* the last line on the terminal is the prompt with the typed text */
    int64_t told_n[CHAT_CHANNELS]; /* numbers of the last chat lines printed */
    int64_t since_ms;              /* unix ms: chat from then on is printed at once */
    bool is_asking;                /* the prompt is a question */
    bool has_house;                /* the lobby's state has arrived */
    uint8_t escape;                /* inside an escape sequence of a key: the bytes so far */
    uint8_t last;                  /* the control character before: '\r', or 0 */
    int64_t pass_ms;               /* when the top screen has something to print by itself */
    bool is_ended;                 /* input has ended */
    bool is_leaving;               /* leave once all typed lines are carried out */
    int64_t end_ms;                /* and when that was noticed */
    int64_t begin_ms;              /* time of the first event; 0: none yet */
};

#define PLAIN_BUSY_MS 3000 /* how long typed lines wait for an answer */

void plain_init(struct plain *plain, const struct ui_lines *how, int columns);
void plain_clear(struct plain *plain);

/*
 * For the kernel.
 */
struct ui;

/* Switches between plain mode and drawn screens, as the terminal and the person require. */
void ui_plain_update_mode(struct ui *ui);

/* True while a password is being typed. */
bool ui_plain_hides_typing(const struct ui *ui);

/* True if an answer is outstanding, so that typed lines wait, for a moment at most. */
bool ui_plain_awaits_answer(const struct ui *ui);

/* Prints the question that was just asked; prints it again. */
void ui_plain_print_question(struct ui *ui);
void ui_plain_repeat_question(struct ui *ui);

/* Appends the pending output and the prompt. */
void ui_plain_append_output(struct ui *ui, struct bytes *out);

/* Prints a new chat line, if it belongs here. */
void ui_plain_print_chat(struct ui *ui, const json_t *message);
