#pragma once

struct core;

/* Ends a pass of the core's loop: commits the changes, then sends the messages of all turns that
 * are durable (house_commit). If a peer has fallen so far behind that a packet for it must be
 * dropped, tells the house, and commits and sends again. */
void core_finish_pass(struct core *core);
