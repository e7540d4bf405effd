#pragma once

#include "daemon/session/session_state.h"

/* Waits for events, at most timeout_ms. Lets the transport handle its events, and the link to the
 * core if `listen_to` has LISTEN_TO_CORE. Returns false if the session must end: `ending` or
 * `is_peer_gone` is set. */
bool session_run_turn(struct session *session, int64_t timeout_ms, int listen_to) MUST_CHECK;

/* Returns false if the session has used more CPU time than signing in may; `ending` and `exit` are
 * set. */
bool session_is_within_sign_in_cpu_limit(struct session *session) MUST_CHECK;

/* Checks that the client reads and answers; call it in each turn with the number of bytes sent in
 * that turn. Returns false if the session must end: `exit` is set. */
bool session_is_client_alive(struct session *session, int64_t now_ms, size_t sent_bytes) MUST_CHECK;
