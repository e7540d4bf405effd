#pragma once

struct core;

/* Accepts connections of operators' programs on this listening socket, which is borrowed. */
void core_operators_accept(struct core *core, int socket_fd);
