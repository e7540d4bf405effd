#ifndef LOBBY_HOUSE_CONNS_H
#define LOBBY_HOUSE_CONNS_H

#include "lobby/house/house_state.h"

/* Connections of every kind of peer, and telling them things. */

struct conn *conn_find(struct house *house, int64_t id);
struct conn *conn_new(struct house *house, int64_t id, enum peer peer);

/* True when its session came by telnet, where others can read along. */
bool conn_is_telnet(const struct conn *conn);

/* Only forgets: whoever was here has been taken out of the house before. */
void conn_free(struct house *house, struct conn *conn);

/* As it was when it came, but for its number, where it comes from, and its pace; a session is in
 * no phase yet, and whoever was here has been taken out of the house before. */
void conn_reset(struct conn *conn);

/* A stored phase besides phase_name's: in, but only to ask; in by a program. */
#define CONN_PHASE_ASKS "asks"
#define CONN_PHASE_PROGRAM "program"

/* Writes down where this session stands, for a restarted core; not of one that is ending. */
void conn_save(struct house *house, struct conn *conn);

/* "door" and so on, as in `welcome` and in the storage. */
const char *phase_name(enum phase phase);

/* Queues a push; the reference to message is taken over. */
void conn_push(struct house *house, const struct conn *conn, json_t *message);

/* Queues a share of the payload. */
void conn_push_payload(struct house *house, const struct conn *conn, struct payload *payload);

/* One line for a person; kind "info" or "warn". */
void conn_notice(struct house *house, const struct conn *conn, const char *kind, const char *text);

/* Says `bye` and ends the connection with this turn; a restarted core says it again.
 * `why` has less than STORAGE_BYE_SIZE bytes. */
void conn_bye(struct house *house, struct conn *conn, const char *why);

#endif
