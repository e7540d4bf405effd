#pragma once

#include "daemon/session/session_state.h"

/* The last message of a session, and its end. */

/* Closes the screen, if there is one, and prints why the session ends. */
void session_add_ending(struct session *session);

/* Waits a moment for pending output to be sent. */
void session_drain(struct session *session);

/* Waits a moment for the client to close the connection; longer after the answer to a query. */
void session_await_close(struct session *session);
