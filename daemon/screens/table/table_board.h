#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table_scene.h"

/*
 * A game's board: the open cards and facts beside the hands, as the game reports them
 * (game_face.board and .terms). The board is drawn in up to three rows below the headline, or in a
 * box beside the table. Some games have none.
 */
#define BOARD_FACTS_MAX (FACE_BOARD_MAX + FACE_TERMS_MAX)

/* Collects the facts of the round, then the rules chosen for the table. Returns how many there
 * are. */
uint8_t board_collect_facts(const struct game_view *view, const struct words *words,
                            struct face_fact facts[BOARD_FACTS_MAX]);

/* Returns how many rows the board's facts, and the meaning of the signs at cards, need; 0 if there
 * are none. */
int board_count_rows(const struct scene *scene, int width);

/* Draws the board's facts into as many rows as the area has. */
void board_draw_rows(const struct canvas *canvas, const struct area *area,
                     const struct scene *scene);

/* Returns the height in rows of the board's box of that width, including its frame; 0 if the box
 * would be empty. */
int board_count_box_rows(const struct scene *scene, int width);

/* Draws the board's box: a frame that contains one fact per row, or wrapped on several rows. */
void board_draw_box(const struct canvas *canvas, const struct area *area,
                    const struct scene *scene);
