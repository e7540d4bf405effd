#pragma once

struct core;

/* Accepts connections of operators' programs on this listening socket, which is borrowed. */
void core_operators_accept(struct core *core, int socket_fd);

/* Connects to the house an operator's program that was connected to this node while it waited for
 * the house, and asks it to start over. Takes over the socket. */
void core_operators_take_over(struct core *core, int socket_fd);

/* Accepts one connection of an operator's program. Returns its socket, or -1 if there is none or
 * the program runs as another user. */
int core_operators_accept_one(int socket_fd);
