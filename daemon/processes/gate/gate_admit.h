#pragma once

struct gate;

/* Accepts some of the waiting connections: each becomes a session, or is refused with a line that
 * says why. Call gate_core_send_new_sessions afterwards. */
void gate_admit_waiting_connections(struct gate *gate);
