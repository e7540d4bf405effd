#pragma once

#include "lobby/house/house_state.h"

/*
 * At most limits_registrations accounts an hour can be registered from one source: an IPv4 address
 * or an IPv6 /64 network. An IPv6 /48 network may register REGISTRATION_NET_SHARES times as many.
 * The local machine is exempt, since its users have other ways to fill the disk. The counts are
 * stored with the data.
 */

#define REGISTRATION_NET_SHARES 4

bool registration_is_allowed(struct house *house, const char *address) MUST_CHECK;

/* Adds one new account to the registrations counted for this address. */
void registration_record_new_account(struct house *house, const char *address);

/* Deletes the counts that are over an hour old. */
void registrations_forget_old(struct house *house);
