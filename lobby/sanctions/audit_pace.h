#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * The audit log keeps its rows for good, so writing them is rate-limited. An account may cause
 * limits_audit_burst rows at once, then limits_audit_per_h an hour. A guest shares this limit with
 * all guests from the same source (source.h). Staff have a multiple of it; the owner has no limit.
 * Kept in memory only.
 */

/* True when the connection's person may cause another row. */
bool audit_pace_has_room(struct house *house, const struct conn *conn);

/* The same; if not, the request is answered `wait`. Check before anything is changed: messages that
 * always cause a row need `audit`. */
bool audit_pace_admits(const struct request *request) MUST_CHECK;

/* Counts a row that was written. */
void audit_pace_count(struct house *house, const struct conn *conn);
