#pragma once

#include "games/macros.h"

#include <stdbool.h>

/* The gate's listening sockets. */
struct gate;
struct gate_setup;

enum {
    GATE_PAUSE_MS =
        1000 /* time for which the gate accepts no connection after it ran out of resources */
};

/* Listens on the sockets of the setup, and opens its ports. Returns false, with a line on the log,
 * if a port cannot be opened. */
bool gate_listen(struct gate *gate, const struct gate_setup *setup) MUST_CHECK;
void gate_stop_listening(struct gate *gate);

/* Lets the gate accept connections, or makes it pause for GATE_PAUSE_MS (paused_until_ms). */
void gate_set_listening(struct gate *gate, bool is_listening);
