#ifndef LOBBY_SANCTIONS_NET_H
#define LOBBY_SANCTIONS_NET_H

#include "storage/accounts/connections.h"

#include <stdbool.h>
#include <stdint.h>

/* An address or a network of them. IPv4 is kept as ::ffff:0:0/96, so that both kinds are one. */
struct net {
    uint8_t bytes[16];
    uint8_t bits; /* 0 to 128; those after are 0 in `bytes` */
};

/* "192.0.2.7", "192.0.2.0/24", "2001:db8::/48"; false when it is none. */
bool net_read(const char *text, struct net *net) MUST_CHECK;

/* As net_read takes it; a single address without "/". */
void net_write(const struct net *net, char text[STORAGE_ADDRESS_SIZE]);

/* The part of the network that one household has to itself, as net_write writes it: the address, of
 * IPv6 (but for this machine's own) its /64; "" when the text is no address. */
void net_of_household(const char *address, char text[STORAGE_ADDRESS_SIZE]);

/* Wider than /16 (IPv4) or /32 (IPv6): most of its addresses are of people nobody thinks of. */
bool net_is_wide(const struct net *net) MUST_CHECK;

/* Whether the address (text) is in it; false when it is no address. */
bool net_has(const struct net *net, const char *address) MUST_CHECK;

#endif
