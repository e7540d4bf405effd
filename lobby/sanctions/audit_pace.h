#ifndef LOBBY_SANCTIONS_AUDIT_PACE_H
#define LOBBY_SANCTIONS_AUDIT_PACE_H

#include "lobby/house/house_state.h"

/*
 * The audit log keeps its rows for good, so nobody writes them as fast as they can send: an account
 * has limits_audit_burst at once, then limits_audit_per_h an hour, a guest shares these with all
 * who come from the same source (source.h). Staff have many times as many, the owner any number.
 * Kept in memory alone.
 */

/* True when a row may be written for who is on the connection. */
bool audit_pace_has_room(struct house *house, const struct conn *conn);

/* The same; else the request is answered `wait`. Ask before anything is changed. */
bool audit_pace_admits(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* A row has been written. */
void audit_pace_count(struct house *house, const struct conn *conn);

#endif
