#pragma once

#include <stdbool.h>

/* Questions to the person, answered in the input line. At most one question is open at a time. */
struct ui;

enum ask_kind {
    ASK_WORDS,
    ASK_SECRET, /* a secret answer: shown as dots, and not kept in the input line's history */
    ASK_YES,    /* answered by one key: y or Enter gives "y", any other key NULL */
    ASK_SURE,   /* before something that cannot be undone: only y gives "y", any other key NULL, as
                   people press Enter out of habit */
    ASK_KEYS,   /* answered by one of several keys (screen_ask_for_key) */
};

/* Receives the answer to a question, which is valid only during the call; NULL if the person
 * cancelled. */
typedef void screen_reply(struct ui *ui, void *state, const char *text);

/* Asks a question in the input line: Enter gives the answer, Esc gives NULL. A new question
 * replaces an open one, which is answered with NULL. The question belongs to the screen that asks,
 * and closing that screen closes the question. `initial_text` is put into the input line (may
 * be NULL). */
void screen_ask(struct ui *ui, enum ask_kind kind, const char *question, const char *initial_text,
                screen_reply *reply);

/* Asks ASK_SURE before something that cannot be undone. `about` says what it is about: the reply
 * reads it with screen_asked_about. */
void screen_ask_about(struct ui *ui, const char *question, const char *about, screen_reply *reply);

/* Returns what the last screen_ask_about was about; borrowed. */
const char *screen_asked_about(const struct ui *ui);

struct ask_key {
    const char *key;   /* the keyboard key, as one character */
    const char *label; /* N_(): what the key does, for the bottom row */
};

/* Asks for one of several keys: the key pressed is the answer, Esc gives NULL. The last row of
 * `keys` is all NULLs. `keys` must stay valid until the question is answered. */
void screen_ask_for_key(struct ui *ui, const char *question, const struct ask_key *keys,
                        screen_reply *reply);

/* Whether a question that the person does not expect may be asked now: the person neither types a
 * line nor answers another question. */
bool screen_may_ask(const struct ui *ui);

/* Closes the open question if it is the one with this reply function, which gets NULL. */
void screen_close_question(struct ui *ui, screen_reply *reply);

/* Ends the session. If a running game needs the person, asks for confirmation first. */
void screen_quit_house(struct ui *ui);

/* Asks before the session ends, because a single key was pressed. If that question is already open,
 * ends the session: the key was pressed twice. Somebody without a name loses nothing and is not
 * asked. */
void screen_ask_before_quitting(struct ui *ui);

/* For the kernel: true if the open question is answered by yes or no. */
bool ui_question_is_yes_or_no(const struct ui *ui);

/* For the kernel: answers the open ASK_KEYS question if the text names one of the keyboard keys
 * that the question offers. False if it does not. */
bool ui_answer_question_by_key(struct ui *ui, const char *text);

/* For the kernel: closes the open question with this answer (NULL: cancelled). */
void ui_answer_question(struct ui *ui, const char *text);
