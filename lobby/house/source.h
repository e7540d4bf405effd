#pragma once

#include "storage/accounts/connections.h"

#include <stdbool.h>

/*
 * The source of a connection: an IPv4 address, or the IPv6 /64 network that one household has to
 * itself. Limits apply to a source as a whole.
 */

/* Writes the source of an address, without "/64". An IPv4 address mapped into IPv6 becomes IPv4.
 * Text that is not an address stays unchanged. */
void source_write_from_address(const char *address, char source[STORAGE_ADDRESS_SIZE]);

/* Writes the IPv6 /48 network around a source, with "/48" at its end; it contains 65,536 sources,
 * which one owner may use. Returns false, and writes "" to `net`, when the source is not IPv6 or is
 * the house's own machine. */
bool source_write_ipv6_network(const char *source, char net[STORAGE_ADDRESS_SIZE]) MUST_CHECK;

/* Returns true if `source`, which may also be an address, is the house's own machine. */
bool source_is_local(const char *source);
