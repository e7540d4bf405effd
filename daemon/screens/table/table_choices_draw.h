#pragma once

#include "daemon/screens/table/table_choices.h"

/* Draws the choices of a player whose turn it is. */

/* Draws "[0] [1] 2 [3]", or "1 [ada] 2 [bob]" if labels are not numbers, over the rows of the area.
 * Returns the number of rows at that width. If canvas is NULL, it only counts the rows. */
int choices_draw_rows(const struct canvas *canvas, const struct area *area,
                      const struct choices *choices, struct choice_cursor *cursor,
                      const struct game_view *view, const struct words *words);

#define CHOICES_PENDING_WIDTH 24 /* columns kept free for what choices_write_pending writes */

/* Writes the number typed so far, which Enter has to confirm: "1_  Enter confirms 1"; nothing if
 * nothing is typed. */
void choices_write_pending(const struct choices *choices, const struct choice_cursor *cursor,
                           const struct game_view *view, const struct words *words,
                           struct text *out);

/* Returns how many columns the choices take if all are in one row. */
int choices_measure_row_width(const struct choices *choices, const struct game_view *view,
                              const struct words *words);

/* Returns the number of rows of a list with that width. For a width that is too narrow, returns
 * more rows than any screen has. */
int choices_count_list_rows(const struct choices *choices, const struct game_view *view,
                            const struct words *words, int width);

/* Draws a list over the area, with keys before labels that are not numbers; scrolls to the
 * cursor. */
void choices_draw_list(const struct canvas *canvas, const struct area *area,
                       const struct choices *choices, struct choice_cursor *cursor,
                       const struct game_view *view, const struct words *words);
