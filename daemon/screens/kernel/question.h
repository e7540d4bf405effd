#pragma once

#include <stdbool.h>

/* Questions to the person, answered in the input line. At most one is open. */
struct ui;

enum ask_kind {
    ASK_WORDS,
    ASK_SECRET, /* shown as dots, not added to the history */
    ASK_YES,    /* y or Enter gives "y", n and Esc give NULL, at once */
    ASK_KEYS,   /* screen_ask_for_key */
};

/* Receives the answer, borrowed for the call; NULL if the person cancelled. */
typedef void screen_reply(struct ui *ui, void *state, const char *text);

/* Asks in the input line: Enter gives the answer, Esc gives NULL. A new question replaces the old
 * one, which gets NULL. The question belongs to the screen that asks and is closed with it.
 * `initial` is the initial text of the input line (may be NULL). */
void screen_ask(struct ui *ui, enum ask_kind kind, const char *question, const char *initial,
                screen_reply *reply);

struct ask_key {
    const char *key;   /* one character */
    const char *label; /* N_(): what it does, for the line of keys */
};

/* Asks for one of several keys, which is the answer at once; Esc gives NULL. The table ends with a
 * row of NULLs and outlives the question. */
void screen_ask_for_key(struct ui *ui, const char *question, const struct ask_key *keys,
                        screen_reply *reply);

/* For the kernel: answers an open ASK_KEYS question if the text is one of its keys; true then. */
bool ui_answer_by_key(struct ui *ui, const char *text);

/* For the kernel: closes the open question with this answer (NULL: cancelled). */
void ui_answer_question(struct ui *ui, const char *text);
