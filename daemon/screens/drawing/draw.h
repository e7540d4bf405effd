#pragma once

#include "daemon/screens/drawing/frame.h"
#include "daemon/screens/drawing/theme.h"
#include "games/text.h"

#include <stdbool.h>

/*
 * Functions that put texts into a frame, by absolute row and column (0, 0 is top left).
 * Text is UTF-8 and counted in columns. What exceeds the screen or the given width is cut off. In
 * ASCII mode all characters outside ASCII are replaced. A text may change its style: DRAW_MARK and
 * the character '0' + enum style begin a style; DRAW_UNMARK returns to the style that the caller
 * passed. Texts in the model contain no control characters, so no player can write these marks.
 */
#define DRAW_MARK '\x01'
#define DRAW_UNMARK '\x02'
#define DRAW_MARK_BYTES 2 /* number of bytes of DRAW_MARK and the style character after it */

struct area {
    int row, column, height, width;
};

struct canvas {
    struct frame *frame;
    const struct theme *theme;
    struct area body; /* the area that a screen paints: all but the three bottom rows */
};

/* The number of columns that a text takes on the screen; style marks take none. */
int draw_measure_text(const char *text);

/* Appends a text in a style, between style marks. */
void draw_put_styled(struct text *out, enum style style, const char *text);

/* Draws a text in at most `width` columns; a longer text ends in an ellipsis. Returns how many
 * columns were drawn. */
int draw_text(const struct canvas *canvas, int row, int column, int width, enum style style,
              const char *text);

/* Like draw_text, but the text is right-aligned, or centred in `width` columns. */
int draw_text_right_aligned(const struct canvas *canvas, int row, int column, int width,
                            enum style style, const char *text);
int draw_text_centred(const struct canvas *canvas, int row, int column, int width, enum style style,
                      const char *text);

/* Formats the text as printf does (at most 400 bytes), then calls draw_text. */
int draw_formatted_text(const struct canvas *canvas, int row, int column, int width,
                        enum style style, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Wraps a text at spaces and draws its rows into the area, without the first `skipped_rows` rows.
 * Rows after the first are indented by `indent` columns. Returns how many rows the whole text needs
 * at that width. If canvas is NULL, only counts the rows. */
int draw_wrapped_text(const struct canvas *canvas, const struct area *area, enum style style,
                      const char *text, int skipped_rows, int indent);

/* Returns how many columns the last row takes when a text is wrapped at spaces. */
int draw_measure_last_wrapped_row(const char *text, int width);

/* These functions draw a symbol once, repeat it to the right, or repeat it downward. */
void draw_glyph(const struct canvas *canvas, int row, int column, enum style style,
                enum glyph glyph);
void draw_horizontal_line(const struct canvas *canvas, int row, int column, int width,
                          enum glyph glyph);
void draw_vertical_line(const struct canvas *canvas, int row, int column, int height,
                        enum glyph glyph);

/* Draws a frame along the area's edge. Its top line contains the title (may be NULL), bold if the
 * pane has the keyboard focus. */
void draw_box(const struct canvas *canvas, const struct area *area, const char *title,
              bool is_active);

/* Draws a title into a frame's top line, which begins at `row` and `column`. */
void draw_title(const struct canvas *canvas, int row, int column, int width, const char *title,
                bool is_active);

/* Draws a line inside a frame, from edge to edge, with a title (may be NULL). A T-shaped character
 * joins each end to the frame. */
void draw_divider(const struct canvas *canvas, int row, int column, int width, const char *title,
                  bool is_active);

/* Fills an area with blanks in a style, as for a selected row before its text is drawn. */
void draw_filled_area(const struct canvas *canvas, const struct area *area, enum style style);

/* Draws the first row of a screen: a title at the left, and further information at the right. */
void draw_header(const struct canvas *canvas, const char *left_text, const char *right_text);
