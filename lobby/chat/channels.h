#pragma once

#include "lobby/house/house_state.h"

#define CHANNEL_SIZE 22 /* room for "#", 20 characters and the final NUL */

/*
 * Chat channels besides the lobby. A channel is open to everybody, and exists as long as it has
 * members. Members with an account stay in the channel when they disconnect. A name is "#", a
 * letter, and up to 19 letters, digits and dashes; some names are reserved for the house.
 */

/* True for a valid channel name that is not reserved for the house. */
bool channels_is_valid_name(const char *name) MUST_CHECK;

bool channels_has_joined(const struct person *person, const char *name);

/* True when the channel has at least one member, connected or not. */
bool channels_exists(struct house *house, const char *name) MUST_CHECK;
