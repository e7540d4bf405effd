#pragma once

#include "daemon/base/bytes.h"
#include "daemon/screens/drawing/theme.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A terminal driven by curses without a tty. The output of curses goes to memory; it reads nothing
 * (key_parser.h makes keys of what is typed). The terminal is never queried. A process can have
 * only one display, because curses has global state. Needs an RLIMIT_FSIZE of at least 1 MiB.
 */
struct display;

/* The smallest size on which every screen fits. */
#define DISPLAY_COLUMNS_MIN 60
#define DISPLAY_ROWS_MIN 18

/* Starts a display with the terminal description `term` from terminfo. If that one does not work,
 * tries xterm-256color, then vt100. NULL if none works. */
struct display *display_new(const char *term, int columns, int rows);

/* For a process that forks many children, each of which may start a display: does the slow part of
 * the start once, for the terminal that most clients have. The descriptor that curses uses gets
 * a number of at least `lowest`, which must be free in the children. NULL if it fails. */
struct display *display_prepare(int lowest);

/* In a child that has closed the descriptor of the prepared display: opens a new one with the same
 * number, which it shares with no other process. Returns false with errno. */
bool display_reopen_file(struct display *display) MUST_CHECK;

/* Starts a display as display_new does. Takes over the prepared one, which may be NULL: uses it if
 * it is for this terminal, and frees it otherwise. */
struct display *display_start(struct display *prepared, const char *term, int columns, int rows);

/* From now on, never sends a carriage return without a newline if the terminal has another way to
 * its first column. Telnet sends a lone carriage return as CR NUL (RFC 854), and some clients lose
 * what follows. */
void display_avoid_carriage_returns(struct display *display);

/* Frees the display without restoring the terminal (see display_restore_terminal). */
void display_free(struct display *display);

/* display_terminal_name returns the name of the terminal description in use.
 * display_uses_fallback_terminal returns true if that description was not the requested one. */
const char *display_terminal_name(const struct display *display);
bool display_uses_fallback_terminal(const struct display *display);

bool display_has_colour(const struct display *display);

/* Sets the terminal's size. The next frame is sent whole, even if the size is the same. */
void display_resize(struct display *display, int columns, int rows);

/* Returns how many columns may be drawn: all, but without the last one on a terminal whose cursor
 * may be on the next line after the last column. */
int display_columns(const struct display *display);
int display_rows(const struct display *display);

/* Begins a frame, which is blank in the theme's plain style, and returns it for a canvas (draw.h).
 */
struct frame *display_begin_frame(struct display *display, const struct theme *theme);

/* Makes the next frame be sent whole, not only what changed since the last frame (after a resize or
 * Ctrl-L). */
void display_force_redraw(struct display *display);

/* Ends a frame, places the cursor at cursor_row and cursor_column, and appends the frame's bytes to
 * `out`. Returns false if `out` has no room: the next frame is then sent whole. */
bool display_end_frame(struct display *display, int cursor_row, int cursor_column,
                       struct bytes *out) MUST_CHECK;

/* Sets the title of the terminal's window, without control characters. Does nothing if the terminal
 * has no title. */
void display_set_title(struct display *display, const char *title, struct bytes *out);
void display_ring_bell(struct bytes *out);

/* Appends the bytes that restore the terminal. */
void display_restore_terminal(struct display *display, struct bytes *out);
