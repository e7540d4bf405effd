#pragma once

#include "daemon/session/session_state.h"

/* A session of a program that speaks the protocol. */

/* The same for a program; returns the exit status for it. */
int session_serve_api(struct session *session) MUST_CHECK;
