#pragma once

#include "lobby/house/house_state.h"

/*
 * What the house allows to people without an account. Policies are stored with the data. The
 * configured value applies when it has changed in the configuration; otherwise what an admin has
 * set since stays, even after a restart of the core.
 */
enum policy {
    POLICY_REGISTRATION, /* "open", "hold" (new accounts play, but cannot talk and are not listed
                            until a moderator releases them), "closed" */
    POLICY_GUESTS,       /* "yes", "play-only" (guests are seen and play, but cannot talk), "no" */
};

/* The value of the policy; static. */
const char *policy_name(struct house *house, enum policy policy);
bool policy_is(struct house *house, enum policy policy, const char *name) MUST_CHECK;

/* Sets the policy for `by`; false when it has no such value. */
bool policy_set(struct house *house, const struct conn *by, enum policy policy,
                const char *name) MUST_CHECK;
