#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * A person at a terminal: a real client program on a pseudo-terminal, whose screen is read through
 * libvterm. Every wait has a deadline; a test that waits in vain prints the screen and fails.
 */
struct terminal;

/* The time after which a wait fails the test, unless the test says otherwise. */
#define TERMINAL_DEADLINE_MS 60000

/* Starts argv (NULL-ended, argv[0] found in PATH) with TERM=term. Fails the test when the program
 * cannot be started. */
struct terminal *terminal_open(const char *const *argv, const char *term, int columns, int rows);

/* Hangs up, as when a window is closed, and waits for the program to end. Takes NULL. */
void terminal_free(struct terminal *terminal);

void terminal_type(struct terminal *terminal, const char *keys);
void terminal_type_line(struct terminal *terminal, const char *line);
void terminal_resize(struct terminal *terminal, int columns, int rows);

/* Reads output, waiting at most timeout_ms for some. Returns false at the end of the output. */
bool terminal_read(struct terminal *terminal, int timeout_ms);

/* Returns the whole screen; each row ends with '\n' and has no trailing blanks. Borrowed until the
 * next call. */
const char *terminal_read_text(struct terminal *terminal);

/* Returns the characters of one cell; "" for a blank or the second half of a wide character.
 * Borrowed until the next call. */
const char *terminal_read_cell(struct terminal *terminal, int row, int column);

/* Returns the cursor's position: row times the number of columns plus column; -1 when it is
 * hidden. */
int terminal_cursor_position(struct terminal *terminal);

/* Returns the window's title; "" before it is set. Borrowed until the next read. */
const char *terminal_title(struct terminal *terminal);

/* Whether the words are on one row of the current screen. */
bool terminal_shows(struct terminal *terminal, const char *words);

/* Reads until the words are on the screen; otherwise fails the test and prints the screen. */
void terminal_expect(struct terminal *terminal, const char *words);

/* Reads until any text of a NULL-ended list is on the screen, and returns its index. */
size_t terminal_expect_any(struct terminal *terminal, const char *const *words);

/* Reads until the words are no longer on the screen. */
void terminal_expect_gone(struct terminal *terminal, const char *words);

/* Reads until the screen has not changed for a moment: the house drops keys that come too early for
 * a new screen. */
void terminal_wait_until_still(struct terminal *terminal);

/* Reads until the last column and the last row are not blank, so that a frame has been drawn for
 * exactly this size of the terminal. */
void terminal_expect_full_screen(struct terminal *terminal);

/* Waits for the program to end. Returns its exit status, or 128 + signal. */
int terminal_wait_for_end(struct terminal *terminal);

/* Prints the screen, with a line above and below, for a person who reads the test's output. */
void terminal_print(struct terminal *terminal, const char *caption);

/* Prints the screens of all terminals that are open: after a failed test, what it saw last. */
void terminal_print_open(void);

/* Reads what arrives before the deadline (terminal_now_ms). Returns 0 at the end, -1 when nothing
 * arrives in time. */
ssize_t terminal_read_before(int fd, char *to, size_t size, long deadline);

/* Returns the current time of the monotonic clock, in milliseconds. */
long terminal_now_ms(void);
