#pragma once

#include "daemon/session/session_state.h"

/* Runs one pass of the session's loop: waits for events, at most timeout_ms, and lets the transport
 * handle its events, and also the link to the core if `listen_to` contains LISTEN_TO_CORE. Returns
 * false if the session must end: `ending` or `is_peer_gone` is set. */
bool session_run_loop_pass(struct session *session, int64_t timeout_ms, int listen_to) MUST_CHECK;

/* Returns false if the session has used more CPU time than it may use for signing in; `ending` and
 * `exit` are then set. */
bool session_is_within_sign_in_cpu_limit(struct session *session) MUST_CHECK;

/* Returns the time in ms until session_is_client_alive must be called again; 0 or less: now. */
int64_t session_time_to_judge_client(const struct session *session);

/* Checks that the client reads and answers. Call it in each pass of the loop, with the number of
 * bytes sent in that pass. Returns false if the session must end: `exit` is set. */
bool session_is_client_alive(struct session *session, int64_t now_ms, size_t sent_bytes) MUST_CHECK;
