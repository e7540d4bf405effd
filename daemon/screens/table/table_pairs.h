#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_choices.h"

/*
 * Choices of one number or two (struct choices, has_pairs), such as a prediction. The numbers are
 * typed, clicked or reached with the arrow keys; nothing is chosen before Enter.
 */

/* Handles a key; CHOICE_MADE only for Enter after a whole choice. */
enum choice_result pairs_handle_key(const struct choices *choices, struct choice_cursor *cursor,
                                    const struct press *press, uint8_t *move);

/* Draws the numbers in one row, with the typed ones marked, and below it what was typed and what
 * Enter does. Returns the number of rows. If canvas is NULL, only counts them. */
int pairs_draw_rows(const struct canvas *canvas, const struct area *area,
                    const struct choices *choices, struct choice_cursor *cursor,
                    const struct game_view *view, const struct words *words);
