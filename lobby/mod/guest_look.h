#pragma once

#include "lobby/sanctions/order.h"

/* What staff can look up about a guest, the order's target: the parts of /whois, /sessions and
 * /alts for guests. */

/* Where they connect from, and the sanctions in force against the person behind the name. */
void guest_whois(struct order *order);

/* Their connections, and the guests who came from the same network within a day. */
void guest_sessions(struct order *order);

/* The accounts used from the same address or with the same key. */
void guest_alts(struct order *order);
