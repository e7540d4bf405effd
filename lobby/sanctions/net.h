#pragma once

#include "storage/accounts/connections.h"

#include <stdbool.h>
#include <stdint.h>

/* An address or a network. IPv4 is stored as ::ffff:0:0/96, so that both families are handled
 * alike. */
struct net {
    uint8_t bytes[16];
    uint8_t
        bits; /* the number of bits in the prefix, 0 to 128; all later bits of the address are 0 */
};

/* Parses "192.0.2.7", "192.0.2.0/24" or "2001:db8::/48"; false when invalid. */
bool net_parse(const char *text, struct net *net) MUST_CHECK;

/* Writes the network in the form that net_parse reads; a single address without "/". */
void net_format(const struct net *net, char text[STORAGE_ADDRESS_SIZE]);

/* Writes the network of one household: an IPv4 address itself, an IPv6 /64 network, or the local
 * machine's own address; "" when the text is no address. */
void net_format_household_network(const char *address, char text[STORAGE_ADDRESS_SIZE]);

/* True for networks wider than /16 (IPv4) or /32 (IPv6): a ban of one would mostly hit uninvolved
 * people. */
bool net_is_wide(const struct net *net) MUST_CHECK;

/* Whether the network contains the address; false when the text is no address. */
bool net_contains(const struct net *net, const char *address) MUST_CHECK;
