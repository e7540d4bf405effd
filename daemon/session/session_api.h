#pragma once

#include "daemon/session/session_state.h"

/* A session of an outside program that speaks the protocol. */

/* Serves the program; returns the exit status for it. */
int session_serve_api(struct session *session) MUST_CHECK;
