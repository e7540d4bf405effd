#pragma once

struct core;

/* Ends a pass of the core's loop: commits the changes, then sends the answers. If a peer has
 * fallen so far behind that a packet for it must be dropped, tells the house, and commits and
 * sends again. */
void core_finish_pass(struct core *core);
