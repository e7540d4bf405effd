#pragma once

#include "lobby/tables/tables_state.h"

#define LABEL_MAX 80

/* Writes the label of a move for a button: the game's own label, with cards and suits as symbols.
 * When the game defines no label, writes what a player types to make the move. */
void move_label_write(const struct table *table, const struct game_view *view, uint8_t move,
                      char out[LABEL_MAX]);
