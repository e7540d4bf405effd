#pragma once

#include "daemon/screens/drawing/theme.h"
#include "games/text.h"

#include <stdbool.h>

/*
 * Painting on the character grid, by absolute row and column (0, 0 is top left). Text is UTF-8 and
 * counted in columns; whatever lies outside of the screen or its width is cut. In ASCII mode every
 * character that is not ASCII is written another way.
 *
 * A text may change style on the way: DRAW_MARK and a character '0' + enum style; DRAW_UNMARK goes
 * back to the style it began with. Model texts hold no control characters, so no player can do it.
 */
#define DRAW_MARK '\x01'
#define DRAW_UNMARK '\x02'
#define DRAW_MARK_BYTES 2 /* with the style */

struct area {
    int row, column, height, width;
};

struct canvas {
    const struct theme *theme;
    struct area body; /* what the screen paints: all but the three bottom rows */
};

/* Columns the text takes, marks not counted. */
int draw_width(const char *text);

/* Appends text between marks. */
void draw_mark(struct text *out, enum style style, const char *text);

/* At most `width` columns; a longer text ends in an ellipsis. Returns the columns written. */
int draw_text(const struct canvas *canvas, int row, int column, int width, enum style style,
              const char *text);

/* The same flush right, or in the middle of width. */
int draw_text_right(const struct canvas *canvas, int row, int column, int width, enum style style,
                    const char *text);
int draw_text_centre(const struct canvas *canvas, int row, int column, int width, enum style style,
                     const char *text);

/* printf into at most 400 bytes, then draw_text. */
int draw_format(const struct canvas *canvas, int row, int column, int width, enum style style,
                const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Breaks at spaces over the area's rows, from `skip` rows of text on. Returns how many rows the
 * whole text takes at that width, painted or not; canvas NULL only counts. `indent` columns are
 * left free from the second row on. */
int draw_wrapped(const struct canvas *canvas, const struct area *area, enum style style,
                 const char *text, int skip, int indent);

/* One sign, repeated to the right or down. */
void draw_glyph(const struct canvas *canvas, int row, int column, enum style style,
                enum glyph glyph);
void draw_across(const struct canvas *canvas, int row, int column, int width, enum glyph glyph);
void draw_down(const struct canvas *canvas, int row, int column, int height, enum glyph glyph);

/* A frame around the area's edge; the title (may be NULL) stands in its top line, strong when the
 * pane has the keys. */
void draw_box(const struct canvas *canvas, const struct area *area, const char *title,
              bool is_active);

/* A title in a frame's line that begins at column. */
void draw_title(const struct canvas *canvas, int row, int column, int width, const char *title,
                bool is_active);

/* A line within a frame, from edge to edge, with tees at both ends and a title (may be NULL). */
void draw_divide(const struct canvas *canvas, int row, int column, int width, const char *title,
                 bool is_active);

/* Blanks in that style: a selected row is filled before its text. */
void draw_fill(const struct canvas *canvas, const struct area *area, enum style style);

/* The first row of a screen: what it is, and facts flush right. */
void draw_header(const struct canvas *canvas, const char *left, const char *right);
