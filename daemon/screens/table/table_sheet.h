#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "games/game.h"

#include <stdint.h>

/*
 * The score sheet: rounds as rows, players as columns, and how the points of one round came about.
 * Each cell shows as much as the width allows: bid/took, points and total; points and total; or the
 * total.
 */
struct sheet {
    const struct words *words;
    uint8_t seats;
    const struct model_sheet_row *rows;
    int count;
    int selected;                      /* the selected row; -1: none is marked or explained */
    const struct score_row *explained; /* the selected row with all its details; may be NULL */
};

/* Makes the sheet of the entered table with that row selected, or none (-1). Borrows all arguments,
 * and writes the selected row to *explained. */
struct sheet sheet_make(const struct model_entered *entered, const struct words *words,
                        int selected, struct score_row *explained);

/* Fills the area: as many rows as fit beside the explanation, with the selected one among them (or
 * the last ones). Returns the number of rounds shown. */
int sheet_draw(const struct canvas *canvas, const struct area *area, const struct sheet *sheet);

/* Draws the sheet in a frame over the area; draws nothing if `sheet` is NULL. */
void sheet_draw_box(const struct canvas *canvas, const struct area *area,
                    const struct sheet *sheet);
