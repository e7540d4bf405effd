#pragma once

#include "daemon/session/session_state.h"

/* Waits for events, at most timeout_ms, and lets the transport and, as `heed` says, the link to the
 * core handle them. Returns false if the session must end: `ending` or `is_peer_gone` is set. */
bool session_run_turn(struct session *session, int64_t timeout_ms, int heed) MUST_CHECK;

/* Returns false if the session has used more CPU time than signing in may; `ending` and `exit` are
 * set. */
bool session_is_within_sign_in_cpu(struct session *session) MUST_CHECK;

/* Checks that the client reads and answers; call it in each turn with the number of bytes sent in
 * it. Returns false if the session must end: `exit` is set. */
bool session_is_alive(struct session *session, int64_t now_ms, size_t sent) MUST_CHECK;
