#ifndef LOBBY_SANCTIONS_DISABLED_H
#define LOBBY_SANCTIONS_DISABLED_H

#include "lobby/house/house_state.h"

/* Commands and games that staff have switched off for players. They are kept in memory: no request
 * asks the storage. */

/* False, and the request is answered, when the command or game of that name is off and whoever
 * asks is a player. */
bool disabled_admits(struct house *house, struct conn *conn, int64_t request,
                     const char *name) MUST_CHECK;

/* The same for beginning a game; `draining`, too, when the house is about to close. */
bool disabled_lets_begin(struct house *house, struct conn *conn, int64_t request,
                         const char *game) MUST_CHECK;

/* Switches it off or on, for good. */
void disabled_set(struct house *house, const char *name, bool is_off);

#endif
