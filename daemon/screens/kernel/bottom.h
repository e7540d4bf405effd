#pragma once

#include "daemon/screens/drawing/draw.h"

struct ui;

/* Draws the three bottom rows of the screen, and sets the cursor's position. */
void ui_draw_bottom_rows(struct ui *ui, const struct canvas *canvas, int *cursor_row,
                         int *cursor_column);
