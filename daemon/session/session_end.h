#pragma once

#include "daemon/session/session_state.h"

/* Prints the last message of a session and ends the session. */

/* Closes the screen, if there is one, and prints the reason why the session ends. */
void session_print_end_reason(struct session *session);

/* Sends pending output. Waits at most half a second until all of it is sent. */
void session_send_pending_output(struct session *session);

/* Waits until the client closes the connection, at most half a second; longer after the answer to a
 * query. */
void session_await_client_close(struct session *session);
