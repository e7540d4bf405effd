#pragma once

#include "lobby/house/request.h"
#include "lobby/sanctions/mod_command.h"

/* Runs a line that names a moderation command. */

/* For a moderation command that offers more to a higher rank: true when the requester has this rank
 * and has confirmed; else the order is refused, or the request answered. */
bool mod_needs(struct order *order, enum rank rank) MUST_CHECK;

/* True when the order's target is not the requester, their equal or their superior; else the order
 * is refused. */
bool mod_may_act(struct order *order) MUST_CHECK;

/* Runs the line and answers the request. `is_old`: it stands for a message of protocol 1
 * (old_messages.c). */
void mod_line(const struct request *request, const char *line, const char *via, bool is_old);
