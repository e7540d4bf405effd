#pragma once

#include "storage/accounts/connections.h"

#include <stdbool.h>

/*
 * The origin of a connection, for limits: an IPv4 address or an IPv6 /64, which is the part of an
 * address that one household has to itself.
 */

/* Writes the source as text without "/64". IPv4 addresses mapped into IPv6 become IPv4; text that
 * is not an address stays unchanged. */
void source_of_address(const char *address, char source[STORAGE_ADDRESS_SIZE]);

/* Writes the IPv6 /48 around a source, with "/48": its owner has 65,536 sources. Returns false,
 * with `net` "", when the source is not IPv6 or is the house's own machine. */
bool source_network(const char *source, char net[STORAGE_ADDRESS_SIZE]) MUST_CHECK;

/* True for the house's own machine. `source` may be an address. */
bool source_is_local(const char *source);
