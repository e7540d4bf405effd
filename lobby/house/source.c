#include "lobby/house/parts.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void source_write_from_address(const char *address, char source[STORAGE_ADDRESS_SIZE])
{
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    uint8_t bytes[16];
    (void)snprintf(source, STORAGE_ADDRESS_SIZE, "%s", address);
    if (inet_pton(AF_INET6, address, bytes) != 1) {
        return;
    }
    if (memcmp(bytes, mapped, sizeof(mapped)) == 0) {
        (void)inet_ntop(AF_INET, bytes + sizeof(mapped), source, STORAGE_ADDRESS_SIZE);
        return;
    }
    bool is_loopback = strcmp(address, "::1") == 0;
    memset(bytes + 8, 0, is_loopback ? 0 : 8);
    (void)inet_ntop(AF_INET6, bytes, source, STORAGE_ADDRESS_SIZE);
}

bool source_write_ipv6_network(const char *source, char net[STORAGE_ADDRESS_SIZE])
{
    char text[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    net[0] = '\0';
    if (inet_pton(AF_INET6, source, bytes) != 1 || source_is_local(source)) {
        return false;
    }
    memset(bytes + 6, 0, 10);
    (void)inet_ntop(AF_INET6, bytes, text, sizeof(text));
    (void)snprintf(net, STORAGE_ADDRESS_SIZE, "%s/48", text);
    return true;
}

bool source_is_local(const char *source)
{
    return strncmp(source, "127.", 4) == 0 || strcmp(source, "::1") == 0;
}
