#pragma once

#include "daemon/screens/drawing/theme.h"
#include "games/text.h"

#include <stdbool.h>

/*
 * Painting on the character grid by absolute row and column (0, 0 is top left). Text is UTF-8 and
 * counted in columns; what lies outside the screen or its width is cut off. In ASCII mode every
 * other character is replaced. A text may change style: DRAW_MARK and a character '0' + enum style;
 * DRAW_UNMARK restores the style it began with. Texts of the model contain no control characters,
 * so no player can do that.
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

/* Columns that the text takes, without marks. */
int draw_text_width(const char *text);

/* Appends text between marks. */
void draw_put_styled(struct text *out, enum style style, const char *text);

/* Draws at most `width` columns; a longer text ends in an ellipsis. Returns the columns used. */
int draw_text(const struct canvas *canvas, int row, int column, int width, enum style style,
              const char *text);

/* The same right-aligned, or centred in `width`. */
int draw_text_right_aligned(const struct canvas *canvas, int row, int column, int width,
                            enum style style, const char *text);
int draw_text_centred(const struct canvas *canvas, int row, int column, int width, enum style style,
                      const char *text);

/* printf into at most 400 bytes, then draw_text. */
int draw_formatted_text(const struct canvas *canvas, int row, int column, int width,
                        enum style style, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Wraps the text at spaces over the area's rows, starting with its row `skip`. Returns how many
 * rows the whole text needs at that width, painted or not; canvas NULL only counts. From the second
 * row on, `indent` columns stay free. */
int draw_wrapped_text(const struct canvas *canvas, const struct area *area, enum style style,
                      const char *text, int skip, int indent);

/* Repeats one character to the right or downward. */
void draw_glyph(const struct canvas *canvas, int row, int column, enum style style,
                enum glyph glyph);
void draw_horizontal_line(const struct canvas *canvas, int row, int column, int width,
                          enum glyph glyph);
void draw_vertical_line(const struct canvas *canvas, int row, int column, int height,
                        enum glyph glyph);

/* Draws a frame along the area's edge; the title (may be NULL) is in its top line, bold if the pane
 * has the keyboard focus. */
void draw_box(const struct canvas *canvas, const struct area *area, const char *title,
              bool is_active);

/* Draws a title in a frame's line, starting at `column`. */
void draw_title(const struct canvas *canvas, int row, int column, int width, const char *title,
                bool is_active);

/* Draws a line inside a frame, from edge to edge, with tees at both ends and a title (may be
 * NULL). */
void draw_divider(const struct canvas *canvas, int row, int column, int width, const char *title,
                  bool is_active);

/* Fills with blanks in that style: a selected row is filled before its text is drawn. */
void draw_filled_area(const struct canvas *canvas, const struct area *area, enum style style);

/* Draws the first row of a screen: its name, and facts at the right. */
void draw_header(const struct canvas *canvas, const char *left, const char *right);
