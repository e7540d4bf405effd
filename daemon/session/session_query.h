#pragma once

#include "daemon/session/session_state.h"

/* Serves a session that answers one query and ends. */

/* Runs the query whose command line is `line`; returns the exit status. */
int session_serve_query(struct session *session, const char *line) MUST_CHECK;
