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
 * What plain mode keeps: lines told but not shown yet, and the line being typed. A prompt stands
 * only where we echo; whatever is told meanwhile goes above it, and what was typed so far is
 * written again.
 *
 * What is typed waits while an answer is due: a command finds what the one before has led to, so
 * a file of commands works as if they had been typed one by one.
 */
struct plain {
    bool is_on;          /* lines now; how.is_on: the terminal takes nothing else */
    struct ui_lines how; /* the terminal's */
    struct theme theme;  /* cards by letters, suits by name */
    int columns;
    bool was_drawn;                /* there is a picture to be taken off the terminal */
    struct lines lines;            /* told */
    struct bytes shown;            /* ready for the terminal: lines and echo */
    struct bytes typed;            /* not looked at yet */
    char question[LINES_LINE_MAX]; /* that stands, and how it is answered */
    char suggested[INPUT_MAX];     /* the answer to the question that stands, for Enter alone */
    bool is_prompted; /* the last line on the terminal is the prompt and what is typed */
    int64_t told_n[CHAT_CHANNELS]; /* numbers of the last lines of talk that were told */
    int64_t since_ms;              /* unix ms: talk from then on is told at once */
    bool is_asking;                /* the prompt is a question */
    bool has_house;                /* the lobby's state has come */
    uint8_t escape;   /* within an escape sequence somebody's key has sent: what has come */
    uint8_t last;     /* the control character before, '\r' for one */
    int64_t pass_ms;  /* when the top screen has something to tell by itself */
    bool is_ended;    /* nothing will be typed any more */
    bool is_leaving;  /* once all that was typed is carried out */
    int64_t end_ms;   /* and when that was found out */
    int64_t begin_ms; /* of the first event; 0: none yet */
};

#define PLAIN_BUSY_MS 3000 /* how long typed lines wait for an answer */

void plain_init(struct plain *plain, const struct ui_lines *how, int columns);
void plain_clear(struct plain *plain);

/*
 * For the kernel.
 */
struct ui;

/* Switches between plain lines and pictures, as the terminal and the person want it. */
void ui_plain_settle(struct ui *ui);

/* True while a password is being typed. */
bool ui_plain_is_secret(const struct ui *ui);

/* An answer is due, so what is typed waits, for a moment at most. */
bool ui_plain_is_busy(const struct ui *ui);

/* Puts the question that has just been asked; puts it again. */
void ui_plain_ask(struct ui *ui);
void ui_plain_ask_again(struct ui *ui);

/* Appends what is to be shown, and the prompt. */
void ui_plain_show(struct ui *ui, struct bytes *out);

/* Tells a new chat line, if it is to be told. */
void ui_plain_chat(struct ui *ui, const json_t *message);
