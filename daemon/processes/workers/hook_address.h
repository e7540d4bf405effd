#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/*
 * The addresses that webhooks may go to. Players choose host names, and a name may resolve to any
 * address, and to another one the next moment, so the check is on the address that is about to be
 * connected to. Without is_private_allowed it must be in the public internet (IANA's
 * special-purpose registries, RFC 6890), at port 80, 443 or one from 1024 on. With it, any address
 * is allowed except multicast and link-local ones, where cloud providers serve secrets to their
 * machines.
 */
bool hook_address_is_allowed(const struct sockaddr *address, socklen_t len,
                             bool is_private_allowed);

/* True for an address of this machine itself, on any interface, public ones included. Sends
 * nothing. */
bool hook_address_is_own(const struct sockaddr *address, socklen_t len);
