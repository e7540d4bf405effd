#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * The rate limit of the audit log, whose rows are kept for ever. An account may cause
 * limits_audit_burst rows at once, then limits_audit_per_h an hour. A guest shares this limit with
 * all guests from the same source (source.h). Staff have a higher limit; the owner has none. The
 * counts are kept in memory only.
 */

/* True when the person of this connection may cause another audit row. */
bool audit_limit_allows_row(struct house *house, const struct conn *conn);

/* True when the requester may cause another audit row; otherwise the request is answered `wait`.
 * Call it before anything is changed. Messages that always cause a row need `audit` in
 * messages.def. */
bool audit_limit_allows_request(const struct request *request) MUST_CHECK;

/* Counts an audit row that the person of this connection has caused. */
void audit_limit_count_row(struct house *house, const struct conn *conn);
