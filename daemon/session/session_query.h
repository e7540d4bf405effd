#pragma once

#include "daemon/session/session_state.h"

/* A session that is asked one thing, and ends. */

/* Answers session->command; returns the exit status. */
int session_serve_query(struct session *session, const char *line) MUST_CHECK;
