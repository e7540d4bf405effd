#ifndef LOBBY_MOD_GUEST_LOOK_H
#define LOBBY_MOD_GUEST_LOOK_H

#include "lobby/sanctions/order.h"

/* What staff read of a guest, the order's target: /whois, /sessions and /alts of accounts. */

/* Where they come from, and what is in force against the person behind the name. */
void guest_whois(struct order *order);

/* Besides their connections: the guests who came from the same network within a day. */
void guest_sessions(struct order *order);

/* Accounts that were used from the same address or with the same key. */
void guest_alts(struct order *order);

#endif
