#include "daemon/processes/gate/banned_nets.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#define NET_TEXT_SIZE (INET6_ADDRSTRLEN + 4)

/* Parses a network: "192.0.2.0/24", "2001:db8::/48", or a single address. */
static bool parse_net(const char *text, struct ip_net *net)
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
    *net = (struct ip_net){.bits = (uint8_t)(is_v4 ? bits + IP_NET_IPV4_BITS : bits)};
    if (!is_v4) {
        return inet_pton(AF_INET6, address, net->bytes) == 1;
    }
    memcpy(net->bytes, mapped, sizeof(mapped));
    return inet_pton(AF_INET, address, net->bytes + sizeof(mapped)) == 1;
}

void banned_nets_replace_from_message(struct banned_nets *banned, const json_t *message)
{
    banned->count = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(message, "nets")); i++) {
        json_t *text = json_array_get(json_object_get(message, "nets"), i);
        const char *net = json_string_value(text);
        if (net != NULL && banned->count < BANNED_NETS_MAX &&
            parse_net(net, &banned->nets[banned->count])) {
            banned->count++;
        }
    }
}

int banned_nets_find(const struct banned_nets *banned, const struct limits_source *source)
{
    for (size_t i = 0; i < banned->count; i++) {
        if (ip_net_contains(&banned->nets[i], source->bytes)) {
            return (int)i;
        }
    }
    return -1;
}
