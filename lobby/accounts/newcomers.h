#pragma once

#include "lobby/house/house_state.h"

/* Whether anybody may register an account: "open", "hold" (new accounts play, but cannot talk and
 * are not listed until a moderator releases them) or "closed". Stored with the data. */

/* Whether registration is in that state; "open" when none was ever set. */
bool newcomers_are(struct house *house, const char *state) MUST_CHECK;

/* The state. The second function sets it; false when there is no such state. `by` is the one who
 * sets it. */
const char *newcomers_state(struct house *house);
bool newcomers_set(struct house *house, const struct conn *by, const char *state) MUST_CHECK;

/* Tells staff of a new account that waits to be released. */
void newcomers_tell_held(struct house *house, const char *name);
