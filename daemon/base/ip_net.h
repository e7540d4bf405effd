#pragma once

#include "games/macros.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* IPv4 and IPv6 addresses and networks, as 128 bits: an IPv4 address is ::ffff:a.b.c.d. */
struct ip_net {
    uint8_t bytes[16];
    uint8_t bits; /* length of the prefix, in bits */
};

#define IP_NET_TEXT_SIZE (INET6_ADDRSTRLEN + 4) /* room for a network as text */
#define IP_NET_IPV4_BITS 96                     /* length of the prefix ::ffff: in bits */

/* Reads the address of a socket; returns false if it is not an IP address. */
bool ip_net_read_address(const struct sockaddr *address, socklen_t len,
                         uint8_t bytes[16]) MUST_CHECK;

/* Parses a network, such as "192.0.2.0/24" or "2001:db8::/48", or a single address. Returns false,
 * and changes nothing, if the text is neither. */
bool ip_net_parse(const char *text, struct ip_net *net) MUST_CHECK;

/* Parses networks that are separated by single spaces. Returns their number; 0 if the text holds no
 * network, more than `max`, or anything else. */
size_t ip_net_parse_list(const char *text, struct ip_net *nets, size_t max) MUST_CHECK;

bool ip_net_contains(const struct ip_net *net, const uint8_t address[16]);
bool ip_net_is_ipv4(const uint8_t address[16]);
