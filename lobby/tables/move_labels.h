#pragma once

#include "lobby/tables/tables_state.h"

#define LABEL_MAX 80

/* Writes the label of a move for a button. This is the game's own label, with cards and suits as
 * symbols. When the game has none, it is the text by which the move is typed. */
void move_label_write(const struct table *table, const struct game_view *view, uint8_t move,
                      char out[LABEL_MAX]);
