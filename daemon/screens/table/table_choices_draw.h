#pragma once

#include "daemon/screens/table/table_choices.h"

/* Draws the choices of a player whose turn it is. */

/* "[0] [1]  2  [3]", or "1 [ada] 2 [bob]" where labels are no numbers, over the rows of the area.
 * Returns how many rows it takes at that width; canvas NULL only counts. */
int choices_draw_rows(const struct canvas *canvas, const struct area *area,
                      const struct choices *choices, struct choice_cursor *cursor,
                      const struct game_view *view, const struct words *words);

/* Columns they take in one row. */
int choices_row_width(const struct choices *choices, const struct game_view *view,
                      const struct words *words);

/* How many rows a list of that width takes; more than there ever are when it is too narrow. */
int choices_list_rows(const struct choices *choices, const struct game_view *view,
                      const struct words *words, int width);

/* A list over the area, with the keys before the labels where these are no numbers; scrolls to the
 * cursor. */
void choices_draw_list(const struct canvas *canvas, const struct area *area,
                       const struct choices *choices, struct choice_cursor *cursor,
                       const struct game_view *view, const struct words *words);
