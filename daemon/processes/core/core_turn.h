#pragma once

struct core;

/* Ends a turn: commits what has happened, then sends the answers. Sending may show that a peer has
 * fallen behind, which is an event of its own. */
void core_finish_turn(struct core *core);
