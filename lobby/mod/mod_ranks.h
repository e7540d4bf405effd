#pragma once

#include "lobby/sanctions/mod_command.h"

/* Checks of the rank that a moderation command needs. A function that returns false has refused the
 * order or answered the request. */

/* True when the requester has this rank. When the rank is too low, the order is refused, and no
 * confirmation is asked for. */
bool mod_rank_suffices(struct order *order, enum rank rank) MUST_CHECK;

/* For a command that can do more when the requester has a higher rank: true when the requester has
 * this rank and has confirmed their identity. */
bool mod_require_rank(struct order *order, enum rank rank) MUST_CHECK;

/* True when the target is not the requester, and has a lower rank than the requester. */
bool mod_may_act_on_target(struct order *order) MUST_CHECK;
