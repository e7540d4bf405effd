#include "lobby/sanctions/sanctions.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IPV4_BITS 96 /* the number of bits before the IPv4 address in its IPv6 form */

/* Networks with fewer prefix bits than this are wide (net_is_wide). */
#define NARROW_IPV4 16
#define NARROW_IPV6 32

#define HOUSEHOLD_IPV6 64

static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};

static bool is_ipv4(const struct net *net)
{
    return net->bits >= IPV4_BITS && memcmp(net->bytes, mapped, sizeof(mapped)) == 0;
}

static void clear_host_bits(struct net *net)
{
    for (unsigned i = 0; i < sizeof(net->bytes); i++) {
        unsigned first = 8 * i;
        unsigned kept = net->bits <= first ? 0 : net->bits - first >= 8 ? 8 : net->bits - first;
        net->bytes[i] = (uint8_t)(net->bytes[i] & ~(0xFFU >> kept));
    }
}

/* Parses the prefix length after the slash and adds added_bits; false when the sum is too large. */
static bool read_prefix_length(const char *text, unsigned added_bits, struct net *net)
{
    char *end = NULL;
    long bits = strtol(text, &end, 10);
    if (end == text || *end != '\0' || text[0] < '0' || text[0] > '9' ||
        bits > 128 - (long)added_bits) {
        return false;
    }
    net->bits = (uint8_t)((unsigned)bits + added_bits);
    return true;
}

bool net_parse(const char *text, struct net *net)
{
    char address[STORAGE_ADDRESS_SIZE];
    size_t len = strcspn(text, "/");
    unsigned base = 0;
    if (len >= sizeof(address)) {
        return false;
    }
    memcpy(address, text, len);
    address[len] = '\0';
    *net = (struct net){.bits = 128};
    if (inet_pton(AF_INET, address, net->bytes + sizeof(mapped)) == 1) {
        memcpy(net->bytes, mapped, sizeof(mapped));
        base = IPV4_BITS;
    } else if (inet_pton(AF_INET6, address, net->bytes) != 1) {
        return false;
    }
    if (text[len] == '/' && !read_prefix_length(text + len + 1, base, net)) {
        return false;
    }
    clear_host_bits(net);
    return true;
}

void net_format(const struct net *net, char text[STORAGE_ADDRESS_SIZE])
{
    char address[INET6_ADDRSTRLEN] = "";
    unsigned base = is_ipv4(net) ? IPV4_BITS : 0;
    if (base > 0) {
        (void)inet_ntop(AF_INET, net->bytes + sizeof(mapped), address, sizeof(address));
    } else {
        (void)inet_ntop(AF_INET6, net->bytes, address, sizeof(address));
    }
    if (net->bits == 128) {
        (void)snprintf(text, STORAGE_ADDRESS_SIZE, "%s", address);
    } else {
        (void)snprintf(text, STORAGE_ADDRESS_SIZE, "%s/%u", address, net->bits - base);
    }
}

void net_format_household_network(const char *address, char text[STORAGE_ADDRESS_SIZE])
{
    struct net net;
    text[0] = '\0';
    if (strchr(address, '/') != NULL || !net_parse(address, &net)) {
        return;
    }
    if (!is_ipv4(&net) && strcmp(address, "::1") != 0) {
        net.bits = HOUSEHOLD_IPV6;
        clear_host_bits(&net);
    }
    net_format(&net, text);
}

bool net_is_wide(const struct net *net)
{
    return net->bits < (is_ipv4(net) ? IPV4_BITS + NARROW_IPV4 : NARROW_IPV6);
}

bool net_contains(const struct net *net, const char *address)
{
    struct net other;
    if (strchr(address, '/') != NULL || !net_parse(address, &other)) {
        return false;
    }
    other.bits = net->bits;
    clear_host_bits(&other);
    return memcmp(other.bytes, net->bytes, sizeof(other.bytes)) == 0;
}
