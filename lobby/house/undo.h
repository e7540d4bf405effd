#pragma once

#include "lobby/house/house_state.h"

#define UNDO_TRIES_MAX 16 /* a core ends if one pass of its loop meets more faults than this */

/* Undoes the pass of the core's loop that met a fault (fault.h), rebuilds the house, and gives up
 * the work in progress at the fault. Returns false when the house cannot be rebuilt. */
bool undo_loop_pass(struct house *house) MUST_CHECK;
