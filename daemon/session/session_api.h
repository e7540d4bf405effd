#pragma once

#include "daemon/session/session_state.h"

/* A session of an outside program that speaks the protocol: lines on one side, packets on the
 * other, no screen. */

int session_serve_api(struct session *session) MUST_CHECK;
