#pragma once

#include "daemon/session/session_state.h"

/* The last message of a session, and its end. */

/* Closes the screen, if there is one, and prints why the session ends. */
void session_print_ending(struct session *session);

/* Waits up to half a second until pending output is sent. */
void session_send_pending_output(struct session *session);

/* Waits up to half a second until the client closes the connection; longer after the answer to a
 * query. */
void session_await_close(struct session *session);
