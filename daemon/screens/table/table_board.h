#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table_scene.h"

/*
 * What lies open beside the cards, as the game tells it (game_face.board): in a row or two below
 * the headline, or in a box beside the table. Nothing for games without a board.
 */

/* Rows that the facts take one after the other; 0 when there are none. */
int board_rows(const struct scene *scene, int width);

/* Into as many rows as the area has. */
void board_draw_rows(const struct canvas *canvas, const struct area *area,
                     const struct scene *scene);

/* Rows of the box, its frame included; 0 when there is nothing to put there. */
int board_box_rows(const struct scene *scene);

/* One fact a row, in a frame. */
void board_draw_box(const struct canvas *canvas, const struct area *area,
                    const struct scene *scene);
