#include "daemon/processes/gate/banned_nets.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#define NET_TEXT_SIZE (INET6_ADDRSTRLEN + 4)

/* Parses a network: "192.0.2.0/24", "2001:db8::/48", or a single address. */
static bool parse_net(const char *text, struct banned_net *net)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    char address[NET_TEXT_SIZE];
    size_t len = strcspn(text, "/");
    char *end = NULL;
    if (len >= sizeof(address)) {
        return false;
    }
    memcpy(address, text, len);
    address[len] = '\0';
    bool is_v4 = strchr(address, ':') == NULL;
    int max = is_v4 ? 32 : 128;
    long bits = text[len] == '\0' ? max : strtol(text + len + 1, &end, 10);
    if (bits < 0 || bits > max || (end != NULL && *end != '\0')) {
        return false;
    }
    *net = (struct banned_net){.bits = (uint8_t)(is_v4 ? bits + 96 : bits)};
    if (!is_v4) {
        return inet_pton(AF_INET6, address, net->bytes) == 1;
    }
    memcpy(net->bytes, mapped, sizeof(mapped));
    return inet_pton(AF_INET, address, net->bytes + sizeof(mapped)) == 1;
}

void banned_nets_replace(struct banned_nets *banned, const json_t *message)
{
    size_t i;
    json_t *text;
    banned->count = 0;
    json_array_foreach(json_object_get(message, "nets"), i, text)
    {
        const char *net = json_string_value(text);
        if (net != NULL && banned->count < BANNED_NETS_MAX &&
            parse_net(net, &banned->nets[banned->count])) {
            banned->count++;
        }
    }
}

static bool net_contains(const struct banned_net *net, const struct limits_source *source)
{
    size_t whole = net->bits / 8U;
    unsigned rest = net->bits % 8U;
    uint8_t mask = (uint8_t)(0xff00U >> rest);
    return memcmp(net->bytes, source->bytes, whole) == 0 &&
           (rest == 0 || ((net->bytes[whole] ^ source->bytes[whole]) & mask) == 0);
}

int banned_nets_find(const struct banned_nets *banned, const struct limits_source *source)
{
    for (size_t i = 0; i < banned->count; i++) {
        if (net_contains(&banned->nets[i], source)) {
            return (int)i;
        }
    }
    return -1;
}
