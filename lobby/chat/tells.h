#pragma once

#include "lobby/house/house_state.h"

/* Sends the person's offline messages to all their connections. */
void tells_deliver(struct house *house, struct person *person);

/* Deletes offline messages older than LIMIT_KEPT_TELLS_DAYS. */
void tells_expire(struct house *house);
