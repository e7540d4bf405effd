#pragma once

#include "daemon/screens/kernel/ui.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Simulates a person's session without a core process: the test types keys, passes messages to the
 * session as the core would, reads the painted screen through libvterm, and inspects and answers
 * the session's requests. The session's clock advances only when the test says so.
 */
struct driver;

struct driver_setup {
    const char *term;  /* terminal type; NULL: xterm-256color */
    int columns, rows; /* 0: 80x24 */
    bool is_unregistered, has_key, is_telnet, is_ascii;
    const char *suggested_name;
    struct ui_lines lines; /* settings of plain mode */
    const char *you;       /* the signed-in person as JSON; NULL: mira, a player */
    bool is_exec;          /* the session carries out commands of the ssh command line */
};

struct driver *driver_new(const struct driver_setup *setup);
void driver_free(struct driver *driver);

/* Types keys as bytes, then paints the screen. An Esc before anything but [ and O is a key of its
 * own, which the person leaves time to be one. */
void driver_type(struct driver *driver, const char *keys);

/* Sends bytes as they come in one packet, then paints the screen. */
void driver_send(struct driver *driver, const char *bytes, size_t len);

/* Types keys that were on their way when the last message of the core changed the screen. */
void driver_type_too_late(struct driver *driver, const char *keys);

/* Passes a message of the core, as JSON text, to the session, then paints the screen. Before the
 * first message `lobby`, the session gets an empty list of own tables, as after each `welcome`. */
void driver_push(struct driver *driver, const char *core_message);

void driver_resize(struct driver *driver, int columns, int rows);

/* Advances the session's clock, and paints the screen if the session asks for it. */
void driver_wait(struct driver *driver, int64_t passed_ms);

/* Returns the oldest unanswered request of that type, borrowed; NULL if there is none. Requests
 * `people` and `tables` are found even when the driver has answered them. */
const json_t *driver_find_request(const struct driver *driver, const char *request_type);

/* The driver itself answers what the session asks about the lobby: its lists have the rows of the
 * message `lobby` that was pushed last. Returns which rows of a list, "people" or "tables", the
 * session watches (lobby_watch in PROTOCOL.md), borrowed; NULL: none. */
const json_t *driver_find_watched_list(const struct driver *driver, const char *list);

/* Returns the type of the oldest unanswered request, borrowed; NULL if all are answered. */
const char *driver_oldest_request_type(const struct driver *driver);

/* Answers the oldest request of that type: driver_answer with success, and with the fields of the
 * JSON object `answer_fields` (NULL: none); driver_refuse with a refusal. */
void driver_answer(struct driver *driver, const char *request_type, const char *answer_fields);
void driver_refuse(struct driver *driver, const char *request_type, const char *code,
                   const char *why);

/* Returns the name of the screen on top of the stack. */
const char *driver_screen_name(const struct driver *driver);

/* Returns the whole screen as rows that end in '\n', without trailing blanks. The text lasts until
 * the next call. */
const char *driver_read_screen(struct driver *driver);
const char *driver_read_row(struct driver *driver, int row);
bool driver_shows(struct driver *driver, const char *words);

/* Both fail the test and print the screen: driver_expect if the screen does not show the words,
 * driver_expect_not if it does. */
void driver_expect(struct driver *driver, const char *shown_words);
void driver_expect_not(struct driver *driver, const char *absent_words);

/* Returns the bytes sent to the terminal since the last driver_forget_output. */
const char *driver_read_output(const struct driver *driver);
void driver_forget_output(struct driver *driver);

/* Both fail the test and print the bytes sent to the terminal: driver_expect_output if these do not
 * contain the words, driver_expect_no_output if they do. */
void driver_expect_output(const struct driver *driver, const char *words);
void driver_expect_no_output(const struct driver *driver, const char *words);

/* Closes the input, as if the person could type nothing more. */
void driver_end_input(struct driver *driver);

void driver_find_cursor(const struct driver *driver, int *row, int *column);

/* These functions return what the terminal has received since the session began. */
int driver_count_bells(const struct driver *driver);
const char *driver_window_title(const struct driver *driver);
bool driver_saw_non_ascii(const struct driver *driver);
/* true if a '\r' came without '\n' */
bool driver_saw_bare_carriage_return(const struct driver *driver);
size_t driver_count_output_bytes(const struct driver *driver);

bool driver_is_session_over(const struct driver *driver);

/* Ends the session, which restores the terminal. Returns what the terminal then shows. */
const char *driver_end_session(struct driver *driver);

/* Returns the present time of the driver's clock, in unix ms. */
int64_t driver_clock_ms(const struct driver *driver);

/* A character of the screen as the terminal shows it, with its colours as 0xRRGGBB. */
struct driver_cell {
    uint32_t characters[6]; /* the character and its combining marks, ended by 0 */
    int columns;            /* 2: a wide character; 0: its second half */
    uint32_t foreground, background;
    bool is_bold, is_underlined;
};
struct driver_cell driver_read_cell(const struct driver *driver, int row, int column);

/* Returns the size of the terminal. */
void driver_measure(const struct driver *driver, int *rows, int *columns);

/* Prints the screen for a person who reads the test's output. */
void driver_print_screen(struct driver *driver, const char *caption);
