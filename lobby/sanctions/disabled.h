#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Commands and games that staff have disabled for players. They are kept in memory, so that no
 * request queries the storage. */

/* False, with the request answered, when the command or game of that name is disabled and the
 * requester is a player. */
bool disabled_admits(const struct request *request, const char *name) MUST_CHECK;

/* The same for starting a game; also refuses, with `draining`, when the house is about to close. */
bool disabled_lets_begin(const struct request *request, const char *game) MUST_CHECK;

/* Lets new games begin, or none (lobby/mod/closing.c). */
void disabled_drain(struct house *house, bool is_draining);

/* Disables or enables it until it is changed again. */
void disabled_set(struct house *house, const char *name, bool is_off);
