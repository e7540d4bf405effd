#ifndef LOBBY_ACCOUNTS_REGISTRATIONS_H
#define LOBBY_ACCOUNTS_REGISTRATIONS_H

#include "lobby/house/house_state.h"

/*
 * At most limits_registrations accounts an hour come from one source: an IPv4 address or an IPv6
 * /64; from an IPv6 /48 REGISTRATION_NET_SHARES times as many. Whoever comes from the machine
 * itself has other ways to fill it. Kept with the data.
 */

#define REGISTRATION_NET_SHARES 4

bool registration_is_allowed(struct house *house, const char *address) MUST_CHECK;

/* An account was made. */
void registration_count(struct house *house, const char *address);

#endif
