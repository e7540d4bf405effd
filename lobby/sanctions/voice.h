#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

struct order;

enum mute_scope {
    MUTE_LOBBY,
    MUTE_TABLE,
    MUTE_TELL,
    MUTE_SCOPES,
};

/*
 * Whether a person may talk. Every way to send words to others (chat, direct messages, away
 * messages, names of new channels, invitations) checks here, whoever reads them; only reports and
 * appeals, which staff alone read, do not. A person may not talk while held, with an unread
 * warning, muted there, or paused after writing too much.
 */

/* For words shown of a person, or sent on their behalf, without a request. */
bool voice_is_heard(const struct house *house, const struct person *person,
                    enum mute_scope scope) MUST_CHECK;

/* For a request of the connection's person: true, or the request is answered `held`, `warned`,
 * `muted` or `wait`. */
bool voice_admits(const struct request *request, enum mute_scope scope) MUST_CHECK;

/* The same for an order. The owner may always talk. */
bool voice_admits_order(struct order *order, enum mute_scope scope) MUST_CHECK;

/* Whether guests may talk at all (lobby/accounts/guests.h). */
void voice_of_guests(struct house *house, bool is_heard);

/* A person wrote too much too quickly and is not heard until then, unix ms. */
void voice_pause(struct person *person, int64_t until_ms);
