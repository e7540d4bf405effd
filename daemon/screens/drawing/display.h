#pragma once

#include "daemon/base/bytes.h"
#include "daemon/screens/drawing/press.h"
#include "daemon/screens/drawing/theme.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The terminal as curses knows it, without a tty: what curses writes lands in memory (memfd), what
 * the person types reaches it through a socket pair. The terminal is never asked anything. One per
 * process. Needs RLIMIT_FSIZE of at least 1 MiB for the memfd.
 */
struct display;

/* The smallest screen everything fits on. */
#define DISPLAY_COLUMNS_MIN 60
#define DISPLAY_ROWS_MIN 18

/* Reads terminfo, tries `term`, xterm-256color and vt100 in turn. NULL when none can be used. */
struct display *display_new(const char *term, int columns, int rows);

/* Never a return without a new line from now on, where the terminal has another way to its first
 * column: by telnet it becomes CR NUL (RFC 854), and there are clients that lose what follows. */
void display_avoid_returns(struct display *display);

/* Restores nothing on the terminal: see display_end. */
void display_free(struct display *display);

/* The description in use; another one than was asked for when is_fallback. */
const char *display_name(const struct display *display);
bool display_is_fallback(const struct display *display);

bool display_has_colour(const struct display *display);

/* The next picture is whole, whether or not the size is another one. */
void display_resize(struct display *display, int columns, int rows);
int display_columns(const struct display *display);
int display_rows(const struct display *display);

/* Takes bytes typed, as many as fit: returns how many. Read keys, then give the rest. */
size_t display_feed(struct display *display, const uint8_t *bytes, size_t len);

/* The next key, false when there is none. */
bool display_key(struct display *display, struct press *press);

/* Begins a picture: everything blank, as plain text is in that theme. */
void display_clear(struct display *display, const struct theme *theme);

/* The next picture is sent whole, not as a difference (after a resize, or Ctrl-L). */
void display_redraw(struct display *display);

/* Ends a picture: the cursor rests at row, column; the bytes are appended. False: no room, and the
 * next picture will be sent whole. */
bool display_paint(struct display *display, int row, int column, struct bytes *out) MUST_CHECK;

/* The window's title, where the terminal has one: control characters are left out. */
void display_title(struct display *display, const char *title, struct bytes *out);
void display_bell(struct bytes *out);

/* The bytes that give the terminal back as it was. */
void display_end(struct display *display, struct bytes *out);
