#pragma once

#include "daemon/screens/drawing/theme.h"

#include <stddef.h>
#include <wchar.h>

/*
 * The picture that is being drawn, as pieces of text. A new frame consists of the pieces that are
 * put between frame_begin and frame_end; a later piece covers an earlier one. Only the rows that
 * differ from those of the frame before are then drawn into curses, which makes a frame in which
 * one number changes much cheaper than a new screen.
 */
struct frame;

/* Returns an empty frame; release it with frame_free. Aborts if memory runs out, as do the
 * functions below. */
struct frame *frame_new(void);
void frame_free(struct frame *frame);

/* Begins a frame of a screen with that many rows and columns, which is blank in the look. If the
 * screen has another size than before, all rows will be drawn. */
void frame_begin(struct frame *frame, int rows, int columns, struct theme_look look);

/* The size of the screen. */
int frame_rows(const struct frame *frame);
int frame_columns(const struct frame *frame);

/* Put characters, or one character that is repeated to the right, at a row and column of the
 * screen. The characters must not reach beyond the last column. */
void frame_put_text(struct frame *frame, int row, int column, struct theme_look look,
                    const wchar_t *text, int count);
void frame_put_repeated(struct frame *frame, int row, int column, struct theme_look look,
                        wchar_t character, int count);

/* Ends the frame: draws the rows that have changed into newscr, the screen of curses as the
 * terminal should show it next. Returns how many rows were drawn. */
int frame_end(struct frame *frame);
