#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "games/game.h"

#include <stdint.h>

/*
 * The score sheet: one row for each round, one column for each player, and an explanation of the
 * points of one round. The viewer's column is the first, and the viewer's explanation too. Each
 * cell shows as much as its width allows: bid/won, points and total; points and total; or the total
 * alone.
 */
struct sheet {
    const struct words *words;
    uint8_t seats;
    const struct model_sheet_row *rows;
    int count;
    int selected;                      /* the selected row; -1: no row is selected */
    const struct score_row *explained; /* the selected round with all its scores; may be NULL */
    int skipped_rows;    /* explanations are drawn without their first rows, if not all rows fit */
    const char *closing; /* written on the frame: the key that closes the sheet; NULL: nothing */
};

/* Makes the score sheet of the entered table. Borrows all arguments. Writes the round at index
 * `selected_row` into *explained_row; -1 selects no round. */
struct sheet sheet_make(const struct model_entered *entered, const struct words *words,
                        int selected_row, struct score_row *explained_row);

/* Fills the area with the explanation and as many rounds as fit beside it: the selected round and
 * its neighbours, or the last rounds. Returns the number of rounds shown. */
int sheet_draw(const struct canvas *canvas, const struct area *area, const struct sheet *sheet);

/* Returns how many rows of the explanations do not fit into the area, and stores how many do. */
int sheet_count_hidden_rows(const struct area *area, const struct sheet *sheet, int *shown_rows);

/* Returns the height in rows that the whole sheet needs in a frame of that width. */
int sheet_count_box_rows(const struct sheet *sheet, int width);

/* Draws the sheet in a frame, over what the area shows; draws nothing if `sheet` is NULL. */
void sheet_draw_box(const struct canvas *canvas, const struct area *area,
                    const struct sheet *sheet);
