#pragma once

#include "stage.h"

#include <stdint.h>

/*
 * Makes moves as a person does, in any game: with the keys that the table's screen assigns to them.
 */

/* Presses the keys that make the move, which must be legal now. Fails the test unless the session
 * requests exactly that move. The request stays unanswered. */
void reach_make_move_with_keys(struct stage *stage, uint8_t move);

/* Makes the session request every legal move of the viewer with keys, one after another; the core
 * refuses each. */
void reach_request_every_move_with_keys(struct stage *stage);
