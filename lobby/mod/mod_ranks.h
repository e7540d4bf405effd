#pragma once

#include "lobby/sanctions/mod_command.h"

/* Which rank a moderation command needs. Each function refuses the order, or answers the request,
 * when it returns false. */

/* True when the requester has this rank. Somebody who is refused is not asked to confirm. */
bool mod_rank_suffices(struct order *order, enum rank rank) MUST_CHECK;

/* For a command that does more for a higher rank: true when the requester has this rank and has
 * confirmed. */
bool mod_require_rank(struct order *order, enum rank rank) MUST_CHECK;

/* True when the target is not the requester, their equal or their superior. */
bool mod_may_act_on_target(struct order *order) MUST_CHECK;
