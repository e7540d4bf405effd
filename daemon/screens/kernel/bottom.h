#pragma once

#include "daemon/screens/drawing/draw.h"
#include "games/text.h"

struct ui;

/* Draws the three bottom rows of the screen, and sets the cursor's position. */
void ui_draw_bottom_rows(struct ui *ui, const struct canvas *canvas, int *cursor_row,
                         int *cursor_column);

/* Writes the keys of the top screen, as the row of key hints shows them, as a list that fits the
 * width: "1-7 play, c chat, ? help, q leave". */
void ui_write_key_list(struct ui *ui, int width, struct text *out);
