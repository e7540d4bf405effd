#pragma once

/* New connections. */
struct gate;

/* Accepts some of the waiting connections: each becomes a session, or is refused with a line that
 * says why. The caller then calls gate_core_tell. */
void gate_admit_some(struct gate *gate);
