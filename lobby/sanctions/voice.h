#ifndef LOBBY_SANCTIONS_VOICE_H
#define LOBBY_SANCTIONS_VOICE_H

#include "lobby/house/house_state.h"

struct order;

/*
 * Whether somebody's words reach others. Whatever carries words of a person (chat, tells, what they
 * are away for, the name of a new channel, an invitation) asks here, whoever hears it; only what is
 * for staff alone (reports, appeals) does not. Who is held, has a warning to read, is muted there
 * or has just written too much is not heard.
 */

/* For what is shown of somebody, or said on their behalf, without being asked for. */
bool voice_is_heard(const struct house *house, const struct person *person,
                    enum mute_scope scope) MUST_CHECK;

/* For a request of the connection's person: true, or it is answered `held`, `warned`, `muted` or
 * `wait`. */
bool voice_admits(struct house *house, struct conn *conn, int64_t request,
                  enum mute_scope scope) MUST_CHECK;

/* The same for an order. The owner is always heard. */
bool voice_admits_order(struct order *order, enum mute_scope scope) MUST_CHECK;

#endif
