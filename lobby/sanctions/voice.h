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
 * messages, names of new channels, invitations) is checked here. Reports and appeals are not
 * checked, since only staff read them. A person may not talk while they are held, have an unread
 * warning, are muted in that chat, or are paused after they wrote too much.
 */

/* Whether the person may talk. Use it where there is no request to answer, for example when others
 * are about to see a person's away message. */
bool voice_person_may_talk(const struct house *house, const struct person *person,
                           enum mute_scope scope) MUST_CHECK;

/* True when the requester may talk; otherwise the request is answered `held`, `guest`, `warned`,
 * `muted` or `wait`. */
bool voice_allows_request(const struct request *request, enum mute_scope scope) MUST_CHECK;

/* Like voice_allows_request, but for a moderation command. The owner may always talk. */
bool voice_allows_order(struct order *order, enum mute_scope scope) MUST_CHECK;

/* Sets whether guests may talk at all (lobby/accounts/policies.h). */
void voice_set_guests_allowed(struct house *house, bool may_talk);

/* Pauses a person who wrote too much too quickly: they may not talk before until_ms, unix ms. */
void voice_pause_person(struct person *person, int64_t until_ms);
