#pragma once

#include "lobby/house/house_state.h"

/*
 * At most limits_registrations accounts an hour can be registered from one source: an IPv4 address
 * or an IPv6 /64. An IPv6 /48 may register REGISTRATION_NET_SHARES times as many. The local machine
 * is exempt, since its users have other ways to fill it. Stored with the data.
 */

#define REGISTRATION_NET_SHARES 4

bool registration_is_allowed(struct house *house, const char *address) MUST_CHECK;

/* Counts a new account. */
void registration_count(struct house *house, const char *address);
