#pragma once

#include "lobby/house/house_state.h"
#include "storage/ratings/leaders.h"

/* True when nobody qualifies for the list yet. Then it lists everybody with a rated game. */
bool leaders_has_nobody_qualified(struct house *house,
                                  const struct storage_listing *asked) MUST_CHECK;
