#ifndef LOBBY_CHAT_CHANNELS_H
#define LOBBY_CHAT_CHANNELS_H

#include "lobby/house/house_state.h"

/*
 * Channels of talk beside the lobby's. A channel is there as long as somebody is in it, and open to
 * everybody; who has an account stays in it when they go. Names: "#", a letter, up to 19 letters,
 * digits and dashes; some are the house's own.
 */

/* Reads which ones the person, who has come in, is in. */

/* True for a name a channel may have: not for the house's own. */
bool channels_is_name(const char *name) MUST_CHECK;

bool channels_has(const struct person *person, const char *name);

/* Whether anybody is in it, here or not. */
bool channels_is_there(struct house *house, const char *name) MUST_CHECK;

/* Pushes `channels`, their names, and the last lines of each. */
void channels_tell(struct house *house, const struct conn *conn);

#endif
