#pragma once

#include "lobby/sanctions/order.h"

/* What staff can look up about a guest, the order's target, by /whois, /sessions and /alts. */

/* Shows where the guest connects from, and the sanctions in force against the person behind the
 * name. */
void guest_show_identity(struct order *order);

/* Lists the guests who came from the same network within a day. */
void guest_show_connections(struct order *order);

/* Lists the accounts used from the same address or with the same key. */
void guest_show_related_accounts(struct order *order);
