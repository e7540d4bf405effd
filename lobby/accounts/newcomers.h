#pragma once

#include "lobby/house/house_state.h"

/* The registration policy: "open", "hold" (new accounts play, but cannot talk and are not listed
 * until a moderator releases them) or "closed". It is stored with the data. */

/* Whether that is the registration policy; "open" when none was ever set. */
bool newcomers_policy_is(struct house *house, const char *state) MUST_CHECK;

/* The registration policy. newcomers_set_policy sets it for `by`; false when there is no such
 * policy. */
const char *newcomers_policy_name(struct house *house);
bool newcomers_set_policy(struct house *house, const struct conn *by, const char *state) MUST_CHECK;

/* Tells staff of a new account that a moderator has to release. */
void newcomers_tell_staff_of_held(struct house *house, const char *name);
