#ifndef LOBBY_MOD_VERB_H
#define LOBBY_MOD_VERB_H

#include "lobby/sanctions/verb_def.h"

/* Carrying out a line that asks for a verb. */

/* For a verb that does more for those above its role: true when who asks has this one, and has
 * confirmed it; else it is refused, or answered. */
bool verb_needs(struct order *order, enum verb_role role) MUST_CHECK;

/* True when the order's target is not the asker, their equal or above them; else it is refused. */
bool verb_may_act(struct order *order) MUST_CHECK;

/* Carries out a line of `conn` and answers its request. */
void verb_line(struct house *house, struct conn *conn, int64_t request, const char *line,
               const char *via);

#endif
