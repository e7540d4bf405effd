#pragma once

/* Accepts new connections. */
struct gate;

/* Accepts waiting connections, unless the gate pauses: at most a few, so that signals and the core
 * are handled even in a flood. Call gate_core_send_new_sessions afterwards. */
void gate_accept_waiting_connections(struct gate *gate);
