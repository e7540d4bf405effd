#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/accounts/guests.h"

/*
 * Guests: what the house allows them, stored like the registration policy (newcomers.h), and who
 * they are. A guest gets a new name each time. Staff find the person behind a name by where they
 * connected from.
 */

/* What guests may do. */
enum guests_policy {
    GUESTS_HEARD,
    GUESTS_PLAY_ONLY,
    GUESTS_NONE,
};
enum guests_policy guests_policy(const struct house *house);

/* The policy in words: "yes", "play-only" (guests are seen and play, but cannot talk) or "no".
 * guests_set_policy sets it for `by`; false when there is no such word. */
const char *guests_policy_name(const struct house *house);
bool guests_set_policy(struct house *house, const struct conn *by, const char *state) MUST_CHECK;

/* True when guests may enter; else the request is answered `closed`. */
bool guests_are_admitted(const struct request *request) MUST_CHECK;

/* Finds a guest by name who is here or left less than a day ago. False when there is none. */
bool guests_find(struct house *house, const char *name, struct storage_guest *guest) MUST_CHECK;
