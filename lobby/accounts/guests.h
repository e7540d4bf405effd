#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/accounts/guests.h"

/*
 * Guests: what the house lets them do, stored like the registration state (newcomers.h), and who
 * they are. A guest gets a new name each time; staff find the person behind it by where they
 * connected from.
 */

/* What guests may do. */
enum guests_may {
    GUESTS_HEARD,
    GUESTS_PLAY_ONLY,
    GUESTS_NONE,
};
enum guests_may guests_may(const struct house *house);

/* The same in words: "yes", "play-only" (they are seen and play, but cannot talk) or "no".
 * The second function sets it; false when there is no such state. `by` is the one who sets it. */
const char *guests_state(const struct house *house);
bool guests_set(struct house *house, const struct conn *by, const char *state) MUST_CHECK;

/* True when guests may enter; else the request is answered `closed`. */
bool guests_admit(const struct request *request) MUST_CHECK;

/* Finds a guest by name who is here or left less than a day ago. False when there is none. */
bool guests_find(struct house *house, const char *name, struct storage_guest *guest) MUST_CHECK;
