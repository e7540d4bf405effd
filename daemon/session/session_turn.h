#pragma once

#include "daemon/session/session_state.h"

/* One turn of a session: everything that waits is served once. */

/* One turn: waits at most timeout_ms, lets the transport and, as `heed` says, the link to the core
 * do what is due. False when the session has to end: `ending` or `is_peer_gone` is set. */
bool session_turn(struct session *session, int64_t timeout_ms, int heed) MUST_CHECK;

/* False, with what has to be said and told, when it has used more CPU than signing in may take. */
bool session_is_cheap(struct session *session) MUST_CHECK;

/* Call each turn, with the bytes that have left in it. False when the session has to end because
 * the client neither reads nor answers: `exit` is set. */
bool session_is_healthy(struct session *session, int64_t now_ms, size_t sent) MUST_CHECK;
