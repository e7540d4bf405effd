#ifndef DAEMON_SCREENS_KERNEL_BOTTOM_H
#define DAEMON_SCREENS_KERNEL_BOTTOM_H

#include "daemon/screens/drawing/draw.h"

struct ui;

/* Draws the three rows at the bottom; sets where the cursor rests. */
void ui_draw_bottom(struct ui *ui, const struct canvas *canvas, int *cursor_row,
                    int *cursor_column);

#endif
