#ifndef LOBBY_ACCOUNTS_NEWCOMERS_H
#define LOBBY_ACCOUNTS_NEWCOMERS_H

#include "lobby/house/house_state.h"

/* Whether strangers may make accounts: "open", "hold" (they play, but are neither heard nor listed
 * before a moderator releases them) or "closed"; kept with the data. */

/* Takes over what the configuration says, when that is not what it said last: what an admin has
 * set since stays otherwise, whatever became of the core. */
void newcomers_configure(struct house *house);

/* Whether it is that state; open when nothing was ever said. */
bool newcomers_are(struct house *house, const char *state) MUST_CHECK;

/* The state; sets it, false when there is no such state. `by` is who does. */
const char *newcomers_state(struct house *house);
bool newcomers_set(struct house *house, const struct conn *by, const char *state) MUST_CHECK;

/* Staff hears of a new account that waits to be released. */
void newcomers_tell_held(struct house *house, const char *name);

#endif
