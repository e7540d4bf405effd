#pragma once

#include "daemon/session/session_state.h"

/* Serves an outside program that speaks the protocol: lines from and to the program, packets from
 * and to the core, no screen. */

int session_serve_api(struct session *session) MUST_CHECK;
