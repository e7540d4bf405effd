#ifndef LOBBY_CHAT_TELLS_H
#define LOBBY_CHAT_TELLS_H

#include "lobby/house/house_state.h"

/* Tells the person, on all their connections, what has waited for them. */
void tells_deliver(struct house *house, struct person *person);

/* What has waited for LIMIT_KEPT_TELLS_DAYS waits no longer. */
void tells_expire(struct house *house);

#endif
