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
 * The state of plain mode: printed lines that are not sent yet, and the line being typed. There is
 * a prompt only if typed text is echoed here; new lines are printed above the prompt, which is then
 * written again.
 *
 * Typed lines wait while an answer is outstanding, so that each command sees the result of the one
 * before: a file of commands works as if it were typed.
 */
struct plain {
    bool is_on; /* plain mode is on, by choice or because the terminal supports nothing else */
    struct ui_lines line_mode; /* how the terminal takes and shows lines */
    struct theme theme;        /* the theme of plain mode: cards by letters, suits by name */
    int columns;
    bool was_drawn;     /* a drawn screen is on the terminal and must be cleared first */
    struct lines lines; /* printed lines that are not sent yet */
    struct bytes shown; /* output for the terminal: finished lines and echoed characters */
    struct bytes typed; /* typed bytes that are not handled yet */
    char question[LINES_LINE_MAX]; /* the open question as it was printed, with how to answer it */
    char suggested[INPUT_MAX];     /* the answer that Enter alone gives to the open question */
    bool is_prompted; /* the last line on the terminal is the prompt and the text typed so far */
    int64_t printed_n[CHAT_CHANNELS]; /* number of the last chat line printed, by channel */
    int64_t since_ms;                 /* unix ms: chat lines newer than this are printed at once */
    bool is_away_told;                /* the last line about it said that the house is away */
    bool is_asking;                   /* the prompt is the text of a question */
    bool has_house;                   /* the person's own tables have arrived */
    int64_t pass_ms; /* time in ms when the top screen will have something to print, even without an
                        event */
    bool is_ended;   /* input has ended */
    bool is_leaving; /* the session ends once all typed lines are carried out */
    int64_t end_ms;  /* when is_ended or is_leaving was set */
    int64_t begin_ms; /* time of the first event of the session; 0: none yet */
    int64_t line_ms;  /* when the last typed line was carried out */
};

#define PLAIN_BUSY_MS 3000 /* the most milliseconds that typed lines wait for an answer */
/* the most milliseconds that typed lines wait until the core has described the lobby: before that,
 * every command would answer that nobody is in the house */
#define PLAIN_ENTERING_MS 30000

void plain_init(struct plain *plain, const struct ui_lines *line_mode, int columns);
void plain_clear(struct plain *plain);

/*
 * The functions below are only for files in kernel/.
 */
struct ui;

/* Switches between plain mode and drawn screens, as the terminal and the settings require. */
void ui_plain_update_mode(struct ui *ui);

/* True while a password is being typed. */
bool ui_plain_hides_typing(const struct ui *ui);

/* True while an answer or the first description of the lobby is outstanding: typed lines wait
 * meanwhile, for an answer at most PLAIN_BUSY_MS, for the lobby PLAIN_ENTERING_MS. The end of the
 * session waits as long for its last answer, which tells what came of a command. */
bool ui_plain_awaits_answer(const struct ui *ui);

/* Prints the question that has just been opened. */
void ui_plain_print_question(struct ui *ui);
void ui_plain_repeat_question(struct ui *ui);

/* Appends the pending output and the prompt to `out`. */
void ui_plain_append_output(struct ui *ui, struct bytes *out);

/* Prints in plain mode that the house is away, and that it is back. */
void ui_plain_tell_absence(struct ui *ui);

/* Prints a chat line that has just arrived, if it belongs to the open chat. */
void ui_plain_print_chat_line(struct ui *ui, const json_t *message);
