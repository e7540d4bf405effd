#pragma once

#include "lobby/house/house_state.h"

/* Sends the person's offline messages to all their connections. */
void direct_messages_deliver_offline(struct house *house, struct person *person);

/* Deletes offline messages older than LIMIT_OFFLINE_MESSAGE_DAYS. */
void direct_messages_expire(struct house *house);
