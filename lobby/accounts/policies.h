#pragma once

#include "lobby/house/house_state.h"

/*
 * What the house allows people without an account to do. Policies are stored with the data. An
 * admin can change a policy, and the change stays after a restart of the core. When the configured
 * value changes, it replaces the stored one.
 */
enum policy {
    POLICY_REGISTRATION, /* may people register? "open"; "hold" (a new account plays, but cannot
                            talk and is not listed until a moderator releases it); "closed" */
    POLICY_GUESTS, /* may guests enter? "yes"; "play-only" (guests are seen and play, but cannot
                      talk); "no" */
};

/* Returns the present value of the policy, a static string. */
const char *policy_value(struct house *house, enum policy policy);
bool policy_has_value(struct house *house, enum policy policy, const char *value) MUST_CHECK;

/* Sets the policy; false when the policy has no such value. `requester` is the connection of the
 * admin who asked for it. */
bool policy_set(struct house *house, const struct conn *requester, enum policy policy,
                const char *value) MUST_CHECK;
