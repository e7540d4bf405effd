#pragma once

#include "daemon/screens/kernel/ui.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A person's screen without a core: the test feeds keys and messages of the core, reads the painted
 * screen through libvterm, and inspects and answers the requests. Its clock advances only when the
 * test says so.
 */
struct driver;

struct driver_setup {
    const char *term;  /* NULL: xterm-256color */
    int columns, rows; /* 0: 80x24 */
    bool is_unregistered, has_key, is_telnet, is_ascii;
    const char *suggested_name;
    struct ui_lines lines; /* plain mode when it is on */
    const char *you;       /* NULL: mira, a player (a visitor has none) */
    bool is_exec;          /* typed lines come from the ssh command line */
};

struct driver *driver_new(const struct driver_setup *setup);
void driver_free(struct driver *driver);

/* Keys as bytes; the screen is painted afterwards. */
void driver_type(struct driver *driver, const char *keys);

/* One message from the core, as JSON text; painted afterwards. */
void driver_push(struct driver *driver, const char *json);

void driver_resize(struct driver *driver, int columns, int rows);

/* Lets time pass, and paints if the screen wants it. */
void driver_wait(struct driver *driver, int64_t ms);

/* The oldest unanswered request of that type, borrowed; NULL when there is none. */
const json_t *driver_sent(const struct driver *driver, const char *type);

/* The type of the oldest unanswered request, borrowed; NULL when all are answered. */
const char *driver_asked(const struct driver *driver);

/* Answers it: `fields` is a JSON object's text, merged into the answer (NULL: none). */
void driver_answer(struct driver *driver, const char *type, const char *fields);
void driver_refuse(struct driver *driver, const char *type, const char *code, const char *why);

/* The name of the screen on top. */
const char *driver_screen(const struct driver *driver);

/* The whole screen, rows ended by '\n', without blanks at their ends. Until the next call. */
const char *driver_text(struct driver *driver);
const char *driver_row(struct driver *driver, int row);
bool driver_shows(struct driver *driver, const char *words);

/* Fails, printing the screen, if the words are missing (or present). */
void driver_expect(struct driver *driver, const char *words);
void driver_expect_not(struct driver *driver, const char *words);

/* The bytes sent to the terminal since the last driver_forget. */
const char *driver_heard(const struct driver *driver);
void driver_forget(struct driver *driver);

/* Fails, printing those bytes, if the words are missing from them (or present). */
void driver_expect_heard(const struct driver *driver, const char *words);
void driver_expect_unheard(const struct driver *driver, const char *words);

/* Nothing will be typed any more. */
void driver_end_input(struct driver *driver);

void driver_cursor(const struct driver *driver, int *row, int *column);

/* Everything shown since the beginning. */
int driver_bells(const struct driver *driver);
const char *driver_title(const struct driver *driver);
bool driver_saw_non_ascii(const struct driver *driver);
bool driver_saw_return(const struct driver *driver); /* '\r' without '\n' */
size_t driver_bytes(const struct driver *driver);

bool driver_is_done(const struct driver *driver);

/* Ends the screen: the terminal is given back, and the last line read. */
const char *driver_end(struct driver *driver);

/* The present time of the driver's clock, unix ms. */
int64_t driver_now(const struct driver *driver);

/* Prints the screen for a person who reads the test's output. */
void driver_print(struct driver *driver, const char *caption);
