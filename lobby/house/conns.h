#pragma once

#include "lobby/house/house_state.h"

/* Opening, storing and ending connections of every kind of peer, and sending messages to them. */

struct conn *conn_find(struct house *house, int64_t id);
struct conn *conn_new(struct house *house, int64_t id, enum peer peer);

/* True for a session over telnet, which is not encrypted. */
bool conn_is_telnet(const struct conn *conn);

/* Frees the connection. The caller must first take the connection's person out of the house. */
void conn_free(struct house *house, struct conn *conn);

/* Makes the connection like a new one: nobody is signed in, and no answers are kept. Its number,
 * address and rate limits stay. A session is in PHASE_NEW afterwards. The caller must first take
 * the connection's person out of the house. */
void conn_reset(struct conn *conn);

/* Stored in place of the name of PHASE_IN when the session signed in for queries only, or through
 * the API. */
#define CONN_PHASE_ASKS "asks"
#define CONN_PHASE_PROGRAM "program"

/* Stores the session's phase and person for a restarted core. Does nothing for a session that is
 * ending. */
void conn_save(struct house *house, struct conn *conn);

/* Returns the name of the phase in `welcome` and in the storage, such as "door". */
const char *phase_name(enum phase phase);

/* Queues a message to the connection. Takes over the reference to the message. */
void conn_send(struct house *house, const struct conn *conn, json_t *message);

/* Queues a message to the connection. The queue keeps its own reference to the payload. */
void conn_send_payload(struct house *house, const struct conn *conn, struct payload *payload);

/* Sends one sentence (say.h) as a notice of kind "info" or "warn". */
void conn_send_notice(struct house *house, const struct conn *conn, const char *kind,
                      json_t *sentence);

/* Sends the message `sent_out`, which says that the connection is no longer at the table with this
 * number, and why. */
void conn_notify_removed_from_table(struct house *house, const struct conn *conn,
                                    int64_t table_number, json_t *why);

/* Sends `bye` with the reason, and ends the connection after this pass of the core's loop. If the
 * core dies before that, a restarted core sends the `bye` again. */
void conn_dismiss(struct house *house, struct conn *conn, json_t *why);
