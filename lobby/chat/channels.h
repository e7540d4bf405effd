#pragma once

#include "lobby/house/house_state.h"

#define CHANNEL_SIZE 22 /* "#", 20 characters */

/*
 * Chat channels besides the lobby's. A channel exists as long as it has members, and is open to
 * everybody. Members with an account stay in it when they disconnect. Names: "#", a letter, up to
 * 19 letters, digits and dashes; some are reserved for the house.
 */

/* Reads the channels of a person who has come in. */

/* True for a valid channel name that is not reserved for the house. */
bool channels_is_valid_name(const char *name) MUST_CHECK;

bool channels_has_joined(const struct person *person, const char *name);

/* True when the channel has members, connected or not. */
bool channels_exists(struct house *house, const char *name) MUST_CHECK;
