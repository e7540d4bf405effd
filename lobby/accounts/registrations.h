#pragma once

#include "lobby/house/house_state.h"

/*
 * At most limits_registrations accounts an hour can be registered from one source: an IPv4 address
 * or an IPv6 /64. From an IPv6 /48, REGISTRATION_NET_SHARES times as many can be. The local machine
 * is exempt, since its users have other ways to fill the disk. The counts are stored with the data.
 */

#define REGISTRATION_NET_SHARES 4

bool registration_is_allowed(struct house *house, const char *address) MUST_CHECK;

/* Counts a new account from this address. */
void registration_count_account(struct house *house, const char *address);
