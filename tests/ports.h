#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns a loopback port that nobody uses, or -1 if there is none. */
static inline int ports_find_free(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_found = probe >= 0 && bind(probe, (struct sockaddr *)&address, len) == 0 &&
                    getsockname(probe, (struct sockaddr *)&address, &len) == 0;
    if (probe >= 0) {
        close(probe);
    }
    return is_found ? ntohs(address.sin_port) : -1;
}
