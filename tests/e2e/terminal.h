#ifndef TESTS_E2E_TERMINAL_H
#define TESTS_E2E_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A person at a terminal: a real client program on a pseudo-terminal, its screen read through
 * libvterm. Every wait has a deadline; a test that waits in vain prints the screen and fails.
 */
struct terminal;

/* How long anything may take before a test gives up, unless a test says otherwise. */
#define TERMINAL_DEADLINE_MS 20000

/* Starts argv (NULL-ended, argv[0] found in PATH) under TERM=term. Fails the test when it cannot.
 */
struct terminal *terminal_open(const char *const *argv, const char *term, int columns, int rows);

/* Hangs up as a closed window does, and reaps the program. Takes NULL. */
void terminal_free(struct terminal *terminal);

void terminal_type(struct terminal *terminal, const char *keys);
void terminal_resize(struct terminal *terminal, int columns, int rows);

/* Takes in what has arrived, waiting at most timeout_ms for something. False at the end of file. */
bool terminal_read(struct terminal *terminal, int timeout_ms);

/* The whole screen, rows ended by '\n', trailing blanks kept off. Borrowed until the next call. */
const char *terminal_text(struct terminal *terminal);

/* What stands in one cell, "" for a blank or the second half of a wide character; borrowed until
 * the next call. */
const char *terminal_cell(struct terminal *terminal, int row, int column);

/* Where the cursor stands, row times the columns plus column; -1 when it is hidden. */
int terminal_cursor(struct terminal *terminal);

/* The window's title, "" before there was one; borrowed until the next read. */
const char *terminal_title(struct terminal *terminal);

/* True when the words stand on one row of the present screen. */
bool terminal_shows(struct terminal *terminal, const char *words);

/* Reads until the words stand on the screen; fails the test with the screen otherwise. */
void terminal_expect(struct terminal *terminal, const char *words);

/* Reads until one of the words (NULL-ended list) stands there, and says which. */
size_t terminal_expect_any(struct terminal *terminal, const char *const *words);

/* Reads until the words are gone from the screen. */
void terminal_expect_gone(struct terminal *terminal, const char *words);

/* Reads until something stands in the last column and in the last row: a frame drawn for just this
 * size. */
void terminal_expect_full(struct terminal *terminal);

/* Waits for the program to end; its exit status, or 128 + signal. */
int terminal_wait_end(struct terminal *terminal);

/* Prints the screen between two rules, for a person who reads the test's output. */
void terminal_print(struct terminal *terminal, const char *caption);

/* Milliseconds of the monotonic clock. */
long terminal_now_ms(void);

#endif
