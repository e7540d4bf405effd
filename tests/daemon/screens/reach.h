#pragma once

#include "stage.h"

#include <stdint.h>

/*
 * Makes moves as a person does, in any game: with the keys that the table's screen assigns to them.
 */

/* Presses the keys of that move, which is legal for the viewer now, and fails the test unless just
 * this move was asked for. The request stays unanswered. */
void reach_move(struct stage *stage, uint8_t move);

/* Reaches every legal move of the viewer, one after another; the core refuses each. */
void reach_every_move(struct stage *stage);
