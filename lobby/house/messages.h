#ifndef LOBBY_HOUSE_MESSAGES_H
#define LOBBY_HOUSE_MESSAGES_H

#include "lobby/house/house_state.h"

/* Carries out a message; below. */
typedef void message_handler(struct house *house, struct conn *conn, int64_t request, json_t *body);

/*
 * The handlers of messages.def. `request` is the request's id, 0 for messages that are not
 * requests; a request is answered once, now or later (answers.h). `body` is the whole message,
 * borrowed. A handler may set conn->is_ending.
 */
#define MESSAGE(type, peers, phases)                                                               \
    void message_##type(struct house *house, struct conn *conn, int64_t request, json_t *body);
#define STAFF(type, role) MESSAGE(type, PEER_SESSION, PHASE_IN)
#include "lobby/protocol/messages.def"
#undef STAFF
#undef MESSAGE

/* Takes one packet apart, checks it against the table and carries it out. False when the peer
 * broke the protocol and its connection ends. */
bool message_receive(struct house *house, struct conn *conn, const char *bytes,
                     size_t len) MUST_CHECK;

#endif
