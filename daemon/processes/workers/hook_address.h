#ifndef DAEMON_PROCESSES_WORKERS_HOOK_ADDRESS_H
#define DAEMON_PROCESSES_WORKERS_HOOK_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/*
 * Where webhooks may go. Players choose their addresses, and a name may lead anywhere, elsewhere
 * the next moment: so what is looked at is the address that is about to be connected to. Without
 * is_private_allowed that is one of the public internet (IANA's special-purpose registries, RFC
 * 6890), at port 80, 443 or one from 1024 on; with it, any that is neither for many receivers nor
 * link-local, where clouds tell their machines secrets.
 */
bool hook_address_is_allowed(const struct sockaddr *address, socklen_t len,
                             bool is_private_allowed);

/* True for an address of this machine itself, on whatever interface: a public one too. Sends
 * nothing. */
bool hook_address_is_own(const struct sockaddr *address, socklen_t len);

#endif
