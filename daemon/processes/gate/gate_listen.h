#pragma once

#include "games/macros.h"

#include <stdbool.h>

/* The gate's listening sockets. */
struct gate;
struct gate_setup;

enum {
    GATE_PAUSE_MS = 1000 /* how long the gate accepts nothing after it ran out of resources */
};

/* Opens the ports of the setup. Returns false, with a line on the log, if a port cannot be
 * opened. */
bool gate_listen(struct gate *gate, const struct gate_setup *setup) MUST_CHECK;
void gate_stop_listening(struct gate *gate);

/* Accepts connections, or pauses for GATE_PAUSE_MS (paused_until_ms). */
void gate_set_listening(struct gate *gate, bool is_listening);
