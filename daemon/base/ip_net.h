#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* IPv4 and IPv6 addresses and networks, as 128 bits: an IPv4 address is ::ffff:a.b.c.d. */
struct ip_net {
    uint8_t bytes[16];
    uint8_t bits; /* length of the prefix, in bits */
};

#define IP_NET_IPV4_BITS 96 /* length of the prefix ::ffff: in bits */

/* Reads the address of a socket; returns false if it is not an IP address. */
bool ip_net_read_address(const struct sockaddr *address, socklen_t len,
                         uint8_t bytes[16]) MUST_CHECK;

bool ip_net_contains(const struct ip_net *net, const uint8_t address[16]);
bool ip_net_is_ipv4(const uint8_t address[16]);
