#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/*
 * The addresses that webhooks may be sent to. Players choose host names. A name may resolve to any
 * address, and a moment later to another one, so check the very address that you connect to.
 *
 * Unless is_private_allowed, an address must be in the public internet (IANA's special-purpose
 * registries, RFC 6890), and the port must be 80, 443 or at least 1024. If is_private_allowed, any
 * address is allowed except multicast and link-local ones, where cloud providers serve secrets to
 * their machines.
 */
bool hook_address_is_allowed(const struct sockaddr *address, socklen_t len,
                             bool is_private_allowed);

/* True if the address belongs to this machine itself, on any interface, public ones included. Sends
 * nothing. */
bool hook_address_is_of_this_machine(const struct sockaddr *address, socklen_t len);
