#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Commands and games that staff have disabled for players. The names are kept in memory, so that no
 * request reads them from the storage. */

/* False when a player requests a disabled command or game; the request is then answered with a
 * refusal. */
bool disabled_allows_request(const struct request *request, const char *name) MUST_CHECK;

/* Like disabled_allows_request, but for the start of a game, which is also refused, as `draining`,
 * while the house is about to close. */
bool disabled_allows_new_game(const struct request *request, const char *game) MUST_CHECK;

/* Sets whether the house is about to close, so that no new games begin (lobby/mod/closing.c). */
void disabled_set_draining(struct house *house, bool is_draining);

/* Disables or enables the command or game of that name until staff change it again. */
void disabled_set(struct house *house, const char *name, bool is_disabled);
