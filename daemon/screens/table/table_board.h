#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table_scene.h"

/*
 * The open cards and facts beside the hands, as the game reports them (game_face.board). They are
 * drawn in one or two rows below the headline, or in a box beside the table. Some games have none.
 */

/* Returns how many rows the facts need; 0 if there are no facts. */
int board_count_rows(const struct scene *scene, int width);

/* Draws the facts into as many rows as the area has. */
void board_draw_rows(const struct canvas *canvas, const struct area *area,
                     const struct scene *scene);

/* Returns the number of rows of the box with its frame; 0 if it would be empty. */
int board_count_box_rows(const struct scene *scene);

/* Draws one fact per row, in a frame. */
void board_draw_box(const struct canvas *canvas, const struct area *area,
                    const struct scene *scene);
