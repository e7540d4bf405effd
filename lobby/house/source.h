#ifndef LOBBY_HOUSE_SOURCE_H
#define LOBBY_HOUSE_SOURCE_H

#include "storage/accounts/connections.h"

#include <stdbool.h>

/*
 * Where a connection comes from, for limits: an IPv4 address or an IPv6 /64, the part of an address
 * that one household has to itself.
 */

/* As text without "/64". IPv4 addresses mapped into IPv6 become IPv4; what is no address stays. */
void source_of(const char *address, char source[STORAGE_ADDRESS_SIZE]);

/* The IPv6 /48 around a source, as text with "/48": whoever has one has 65,536 sources. False, and
 * `net` is "", when the source is none of IPv6, or the machine itself. */
bool source_net(const char *source, char net[STORAGE_ADDRESS_SIZE]) MUST_CHECK;

/* True for the house's own machine. `source` may be an address. */
bool source_is_local(const char *source);

#endif
