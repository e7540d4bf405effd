#include "daemon/base/base.h"

#include <arpa/inet.h>
#include <stdlib.h>
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

/* Parses the length of a prefix, at most `max`. Returns false if the text is no such number. */
static bool parse_prefix_length(const char *text, unsigned max, unsigned *length)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 3 || text[digits] != '\0') {
        return false;
    }
    *length = (unsigned)strtoul(text, NULL, 10);
    return *length <= max;
}

bool ip_net_parse(const char *text, struct ip_net *net)
{
    struct ip_net parsed = {.bytes = {[10] = 0xff, [11] = 0xff}};
    char address[IP_NET_TEXT_SIZE];
    size_t len = strcspn(text, "/");
    if (len >= sizeof(address)) {
        return false;
    }
    memcpy(address, text, len);
    address[len] = '\0';
    bool is_ipv4 = strchr(address, ':') == NULL;
    unsigned length = is_ipv4 ? 32 : 128;
    if (text[len] == '/' && !parse_prefix_length(text + len + 1, length, &length)) {
        return false;
    }
    parsed.bits = (uint8_t)(is_ipv4 ? length + IP_NET_IPV4_BITS : length);
    if (inet_pton(is_ipv4 ? AF_INET : AF_INET6, address, parsed.bytes + (is_ipv4 ? 12 : 0)) != 1) {
        return false;
    }
    *net = parsed;
    return true;
}

size_t ip_net_parse_list(const char *text, struct ip_net *nets, size_t max)
{
    char word[IP_NET_TEXT_SIZE];
    for (size_t count = 0; count < max; text++) {
        size_t len = strcspn(text, " ");
        if (len >= sizeof(word)) {
            return 0;
        }
        memcpy(word, text, len);
        word[len] = '\0';
        if (!ip_net_parse(word, &nets[count++])) {
            return 0;
        }
        text += len;
        if (*text == '\0') {
            return count;
        }
    }
    return 0;
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
