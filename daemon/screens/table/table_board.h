#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table_scene.h"

/*
 * A game's board: the open cards and facts beside the hands, as the game reports them
 * (game_face.board). The board is drawn in one or two rows below the headline, or in a box beside
 * the table. Some games have none.
 */

/* Returns how many rows the board's facts need; 0 if there are none. */
int board_count_rows(const struct scene *scene, int width);

/* Draws the board's facts into as many rows as the area has. */
void board_draw_rows(const struct canvas *canvas, const struct area *area,
                     const struct scene *scene);

/* Returns the height of the board's box in rows, including its frame; 0 if the box would be
 * empty. */
int board_count_box_rows(const struct scene *scene);

/* Draws the board's box: a frame that contains one fact per row. */
void board_draw_box(const struct canvas *canvas, const struct area *area,
                    const struct scene *scene);
