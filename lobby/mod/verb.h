#ifndef LOBBY_MOD_VERB_H
#define LOBBY_MOD_VERB_H

#include "lobby/sanctions/verb_def.h"

/* Runs a line that names a verb. */

/* For a verb that offers more to a higher role: true when the requester has this role and has
 * confirmed; else the order is refused, or the request answered. */
bool verb_needs(struct order *order, enum verb_role role) MUST_CHECK;

/* True when the order's target is not the requester, their equal or their superior; else the order
 * is refused. */
bool verb_may_act(struct order *order) MUST_CHECK;

/* Runs a line sent over `conn` and answers its request. */
void verb_line(struct house *house, struct conn *conn, int64_t request, const char *line,
               const char *via);

#endif
