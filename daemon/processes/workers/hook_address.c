#include "daemon/processes/workers/workers.h"

#include "daemon/base/base.h"
#include "games/macros.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PORT_HTTP 80
#define PORT_HTTPS 443
#define PORT_UNPRIVILEGED 1024

#define IPV4(a, b, c, d, bits)                                                                     \
    {                                                                                              \
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, (a), (b), (c), (d)}, IP_NET_IPV4_BITS + (bits)  \
    }

/* Networks in the ranges of `public_nets` that are not part of the public internet. The IPv6
 * networks listed here are in 2000::/3 or contain IPv4 addresses. */
static const struct ip_net special[] = {
    IPV4(0, 0, 0, 0, 8),                  /* addresses that mean this machine or its network */
    IPV4(10, 0, 0, 0, 8),                 /* private network */
    IPV4(100, 64, 0, 0, 10),              /* shared by the customers of a carrier */
    IPV4(127, 0, 0, 0, 8),                /* loopback */
    IPV4(169, 254, 0, 0, 16),             /* link-local */
    IPV4(172, 16, 0, 0, 12),              /* private network */
    IPV4(192, 0, 0, 0, 24),               /* assigned to IETF protocols */
    IPV4(192, 0, 2, 0, 24),               /* reserved for documentation */
    IPV4(192, 88, 99, 0, 24),             /* 6to4 relays */
    IPV4(192, 168, 0, 0, 16),             /* private network */
    IPV4(198, 18, 0, 0, 15),              /* reserved for benchmarks */
    IPV4(198, 51, 100, 0, 24),            /* reserved for documentation */
    IPV4(203, 0, 113, 0, 24),             /* reserved for documentation */
    IPV4(224, 0, 0, 0, 3),                /* multicast, reserved, broadcast */
    {{0x20, 0x01, 0x00}, 23},             /* IETF protocols, Teredo */
    {{0x20, 0x01, 0x0d, 0xb8}, 32},       /* reserved for documentation */
    {{0x20, 0x02}, 16},                   /* 6to4 */
    {{0x26, 0x20, 0x00, 0x4f, 0x80}, 48}, /* AS112 */
    {{0x3f, 0xff}, 20},                   /* reserved for documentation */
};

/* Networks that are refused even where private addresses are allowed: multicast and link-local. */
static const struct ip_net always_refused[] = {
    IPV4(224, 0, 0, 0, 3), IPV4(169, 254, 0, 0, 16), {{0xff}, 8}, {{0xfe, 0x80}, 10}};

/* The address ranges of the public internet. The networks in `special` are exceptions. */
static const struct ip_net public_nets[] = {IPV4(0, 0, 0, 0, 0), {{0x20}, 3}};

static bool is_in_any_net(const struct ip_net *nets, size_t count, const uint8_t bytes[16])
{
    bool is_in = false;
    for (size_t i = 0; i < count && !is_in; i++) {
        is_in = ip_net_contains(&nets[i], bytes);
    }
    return is_in;
}

/* IPv4 and IPv6 socket addresses have the port in the same place. */
static bool is_port_allowed(const struct sockaddr *address)
{
    struct sockaddr_in any;
    memcpy(&any, address, sizeof any);
    uint16_t port = ntohs(any.sin_port);
    return port == PORT_HTTP || port == PORT_HTTPS || port >= PORT_UNPRIVILEGED;
}

bool hook_address_is_allowed(const struct sockaddr *address, socklen_t len, bool is_private_allowed)
{
    uint8_t bytes[16];
    if (!ip_net_read_address(address, len, bytes)) {
        return false;
    }
    if (is_private_allowed) {
        return !is_in_any_net(always_refused, ARRAY_LEN(always_refused), bytes);
    }
    return is_port_allowed(address) && is_in_any_net(public_nets, ARRAY_LEN(public_nets), bytes) &&
           !is_in_any_net(special, ARRAY_LEN(special), bytes);
}

/* Asks the kernel which address of this machine packets to `address` would come from. If the answer
 * is `address` itself, then `address` belongs to this machine. getifaddrs would need a kind of
 * socket that this process may not have. */
bool hook_address_is_of_this_machine(const struct sockaddr *address, socklen_t len)
{
    struct sockaddr_storage from = {0};
    socklen_t from_len = sizeof from;
    uint8_t to_bytes[16], from_bytes[16];
    if (!ip_net_read_address(address, len, to_bytes)) {
        return false;
    }
    int probe = socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool is_own = probe >= 0 && connect(probe, address, len) == 0 &&
                  getsockname(probe, (struct sockaddr *)&from, &from_len) == 0 &&
                  ip_net_read_address((struct sockaddr *)&from, from_len, from_bytes) &&
                  memcmp(to_bytes, from_bytes, sizeof to_bytes) == 0;
    fd_close(probe);
    return is_own;
}
