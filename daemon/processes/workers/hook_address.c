#include "daemon/processes/workers/hook_address.h"

#include "daemon/base/fd.h"
#include "games/macros.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PORT_HTTP 80
#define PORT_HTTPS 443
#define PORT_UNPRIVILEGED 1024

struct network4 {
    uint32_t address;
    unsigned bits;
};

struct network6 {
    uint8_t address[16];
    unsigned bits;
};

#define IPV4(a, b, c, d)                                                                           \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

/* Addresses outside the public internet. */
static const struct network4 special4[] = {
    {IPV4(0, 0, 0, 0), 8},       /* this network itself */
    {IPV4(10, 0, 0, 0), 8},      /* private */
    {IPV4(100, 64, 0, 0), 10},   /* shared by customers of a carrier */
    {IPV4(127, 0, 0, 0), 8},     /* loopback */
    {IPV4(169, 254, 0, 0), 16},  /* link-local; cloud providers serve secrets there */
    {IPV4(172, 16, 0, 0), 12},   /* private */
    {IPV4(192, 0, 0, 0), 24},    /* special protocols */
    {IPV4(192, 0, 2, 0), 24},    /* documentation */
    {IPV4(192, 88, 99, 0), 24},  /* 6to4 relays */
    {IPV4(192, 168, 0, 0), 16},  /* private */
    {IPV4(198, 18, 0, 0), 15},   /* benchmarks */
    {IPV4(198, 51, 100, 0), 24}, /* documentation */
    {IPV4(203, 0, 113, 0), 24},  /* documentation */
    {IPV4(224, 0, 0, 0), 4},     /* multicast */
    {IPV4(240, 0, 0, 0), 4},     /* reserved, broadcast */
};

static const struct network6 global6 = {{0x20}, 3};

/* Addresses in 2000::/3 that are not part of the public internet, or contain an IPv4 address. */
static const struct network6 special6[] = {
    {{0x20, 0x01, 0x00}, 23},             /* protocols, Teredo */
    {{0x20, 0x01, 0x0d, 0xb8}, 32},       /* documentation */
    {{0x20, 0x02}, 16},                   /* 6to4 */
    {{0x26, 0x20, 0x00, 0x4f, 0x80}, 48}, /* AS112 */
    {{0x3f, 0xff}, 20},                   /* documentation */
};

static const struct network6 multicast6 = {{0xff}, 8};
static const struct network6 link_local6 = {{0xfe, 0x80}, 10};
static const struct network4 link_local4 = {IPV4(169, 254, 0, 0), 16};

static bool is_in_network4(uint32_t address, const struct network4 *network)
{
    return (address ^ network->address) >> (32 - network->bits) == 0;
}

static bool is_in_network6(const uint8_t address[16], const struct network6 *network)
{
    unsigned bytes = network->bits / 8;
    unsigned rest = network->bits % 8;
    return memcmp(address, network->address, bytes) == 0 &&
           (rest == 0 || (address[bytes] ^ network->address[bytes]) >> (8 - rest) == 0);
}

static bool is_address4_allowed(uint32_t address, bool is_private_allowed)
{
    if (is_private_allowed) {
        return address < IPV4(224, 0, 0, 0) && !is_in_network4(address, &link_local4);
    }
    for (size_t i = 0; i < ARRAY_LEN(special4); i++) {
        if (is_in_network4(address, &special4[i])) {
            return false;
        }
    }
    return true;
}

static bool is_address6_allowed(const struct in6_addr *address, bool is_private_allowed)
{
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        uint32_t inner;
        memcpy(&inner, &address->s6_addr[12], sizeof inner);
        return is_address4_allowed(ntohl(inner), is_private_allowed);
    }
    if (is_private_allowed) {
        return !is_in_network6(address->s6_addr, &multicast6) &&
               !is_in_network6(address->s6_addr, &link_local6);
    }
    for (size_t i = 0; i < ARRAY_LEN(special6); i++) {
        if (is_in_network6(address->s6_addr, &special6[i])) {
            return false;
        }
    }
    return is_in_network6(address->s6_addr, &global6);
}

static bool is_port_allowed(uint16_t port, bool is_private_allowed)
{
    return is_private_allowed || port == PORT_HTTP || port == PORT_HTTPS ||
           port >= PORT_UNPRIVILEGED;
}

bool hook_address_is_allowed(const struct sockaddr *address, socklen_t len, bool is_private_allowed)
{
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    if (address->sa_family == AF_INET && len >= sizeof ipv4) {
        memcpy(&ipv4, address, sizeof ipv4);
        return is_port_allowed(ntohs(ipv4.sin_port), is_private_allowed) &&
               is_address4_allowed(ntohl(ipv4.sin_addr.s_addr), is_private_allowed);
    }
    if (address->sa_family == AF_INET6 && len >= sizeof ipv6) {
        memcpy(&ipv6, address, sizeof ipv6);
        return is_port_allowed(ntohs(ipv6.sin6_port), is_private_allowed) &&
               is_address6_allowed(&ipv6.sin6_addr, is_private_allowed);
    }
    return false;
}

static bool has_equal_host(const struct sockaddr_storage *one, const struct sockaddr_storage *other)
{
    struct sockaddr_in ipv4[2];
    struct sockaddr_in6 ipv6[2];
    if (one->ss_family == AF_INET) {
        memcpy(&ipv4[0], one, sizeof ipv4[0]);
        memcpy(&ipv4[1], other, sizeof ipv4[1]);
        return ipv4[0].sin_addr.s_addr == ipv4[1].sin_addr.s_addr;
    }
    memcpy(&ipv6[0], one, sizeof ipv6[0]);
    memcpy(&ipv6[1], other, sizeof ipv6[1]);
    return IN6_ARE_ADDR_EQUAL(&ipv6[0].sin6_addr, &ipv6[1].sin6_addr);
}

/* Asks the kernel from which address it would send to this one: for an address of this machine,
 * from the same. getifaddrs would need a kind of socket that this process may not have. */
bool hook_address_is_own(const struct sockaddr *address, socklen_t len)
{
    struct sockaddr_storage to = {0};
    struct sockaddr_storage from = {0};
    socklen_t from_len = sizeof from;
    if (len > sizeof to || (address->sa_family != AF_INET && address->sa_family != AF_INET6)) {
        return false;
    }
    memcpy(&to, address, len);
    int probe = socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool is_own = probe >= 0 && connect(probe, address, len) == 0 &&
                  getsockname(probe, (struct sockaddr *)&from, &from_len) == 0 &&
                  from.ss_family == to.ss_family && has_equal_host(&to, &from);
    fd_close(probe);
    return is_own;
}
