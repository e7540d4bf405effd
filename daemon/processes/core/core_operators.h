#pragma once

struct core;

/* Accepts programs of operators on this listening socket, which is borrowed. */
void core_let_operators_in(struct core *core, int socket_fd);
