#ifndef DAEMON_SCREENS_TERMINAL_H
#define DAEMON_SCREENS_TERMINAL_H

#include "daemon/base/bytes.h"
#include "daemon/screens/screen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The terminal as curses knows it, without a tty: what curses writes lands in memory (memfd), what
 * the person types reaches it through a socket pair. The terminal is never asked anything. One per
 * process. Needs RLIMIT_FSIZE of at least 1 MiB for the memfd.
 */
struct terminal;

/* The smallest screen everything fits on. */
#define TERMINAL_COLUMNS_MIN 60
#define TERMINAL_ROWS_MIN 18

/* Reads terminfo, tries `term`, xterm-256color and vt100 in turn. NULL when none can be used. */
struct terminal *terminal_new(const char *term, int columns, int rows);

/* Restores nothing on the terminal: see terminal_end. */
void terminal_free(struct terminal *terminal);

/* The description in use; another one than was asked for when is_fallback. */
const char *terminal_name(const struct terminal *terminal);
bool terminal_is_fallback(const struct terminal *terminal);

bool terminal_has_colour(const struct terminal *terminal);

void terminal_resize(struct terminal *terminal, int columns, int rows);
int terminal_columns(const struct terminal *terminal);
int terminal_rows(const struct terminal *terminal);

/* Takes bytes typed, as many as fit: returns how many. Read keys, then give the rest. */
size_t terminal_feed(struct terminal *terminal, const uint8_t *bytes, size_t len);

/* The next key, false when there is none. */
bool terminal_key(struct terminal *terminal, struct press *press);

/* Begins a picture: everything blank. */
void terminal_clear(struct terminal *terminal);

/* The next picture is sent whole, not as a difference (after a resize, or Ctrl-L). */
void terminal_redraw(struct terminal *terminal);

/* Ends a picture: the cursor rests at row, column; the bytes are appended. False: no room, and the
 * next picture will be sent whole. */
bool terminal_paint(struct terminal *terminal, int row, int column, struct bytes *out) MUST_CHECK;

/* The window's title, where the terminal has one: control characters are left out. */
void terminal_title(struct terminal *terminal, const char *title, struct bytes *out);
void terminal_bell(struct bytes *out);

/* The bytes that give the terminal back as it was. */
void terminal_end(struct terminal *terminal, struct bytes *out);

#endif
