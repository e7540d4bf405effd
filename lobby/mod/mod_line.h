#pragma once

#include "lobby/house/request.h"
#include "lobby/sanctions/mod_command.h"

/* Carries out lines that name a moderation command. */

/* For a command that does more for a higher rank: true when the requester has this rank and has
 * confirmed. Otherwise the order is refused, or the request answered. */
bool mod_require_rank(struct order *order, enum rank rank) MUST_CHECK;

/* False, with the order refused, when the target is the requester, their equal or their
 * superior. */
bool mod_may_act_on_target(struct order *order) MUST_CHECK;

/* Carries out the line and answers the request. `is_old`: the line stands for a message of protocol
 * 1 (old_messages.c). */
void mod_run_line(const struct request *request, const char *line, const char *via, bool is_old);
