#pragma once

struct core;

/* Ends a turn: commits what has happened, then sends the answers. If a peer has fallen too far
 * behind to be sent something, tells the house, and repeats. */
void core_finish_turn(struct core *core);
