#pragma once

#include "stage.h"

#include <stdint.h>

/*
 * Making moves the way a person does, whatever the game: by the keys that the table's screen gives
 * them.
 */

/* Presses the keys of that move, which is legal for the viewer now, and fails the test unless just
 * this move was asked for. The request stays unanswered. */
void reach_move(struct stage *stage, uint8_t move);

/* Reaches every legal move of the viewer, one after the other; each is refused. */
void reach_every_move(struct stage *stage);
