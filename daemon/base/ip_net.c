#include "daemon/base/ip_net.h"

#include <netinet/in.h>
#include <string.h>

bool ip_net_read_address(const struct sockaddr *address, socklen_t len, uint8_t bytes[16])
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    if (address->sa_family == AF_INET && len >= sizeof v4) {
        memcpy(&v4, address, sizeof v4);
        memset(bytes, 0, 10);
        memset(bytes + 10, 0xff, 2);
        memcpy(bytes + 12, &v4.sin_addr, 4);
        return true;
    }
    if (address->sa_family == AF_INET6 && len >= sizeof v6) {
        memcpy(&v6, address, sizeof v6);
        memcpy(bytes, &v6.sin6_addr, 16);
        return true;
    }
    return false;
}

bool ip_net_contains(const struct ip_net *net, const uint8_t address[16])
{
    size_t whole = net->bits / 8U;
    unsigned rest = net->bits % 8U;
    return memcmp(net->bytes, address, whole) == 0 &&
           (rest == 0 || (net->bytes[whole] ^ address[whole]) >> (8 - rest) == 0);
}

bool ip_net_is_ipv4(const uint8_t address[16])
{
    static const struct ip_net ipv4 = {{[10] = 0xff, [11] = 0xff}, IP_NET_IPV4_BITS};
    return ip_net_contains(&ipv4, address);
}
