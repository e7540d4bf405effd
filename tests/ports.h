#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns a loopback port that nobody uses, or -1 if there is none. The port is below those from
 * which the kernel chooses (ip(7), ip_local_port_range): no connection of another program gets it
 * before the caller listens there. */
static inline int ports_find_free(void)
{
    enum {
        LOWEST = 10000,
        COUNT = 22000,
        TRIES = 1000
    };
    for (int i = 0; i < TRIES; i++) {
        int port = LOWEST + (int)arc4random_uniform(COUNT);
        struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                      .sin_port = htons((uint16_t)port)};
        int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int error = probe < 0 ? -1 : bind(probe, (struct sockaddr *)&address, sizeof(address));
        if (probe >= 0) {
            close(probe);
        }
        if (error == 0) {
            return port;
        }
    }
    return -1;
}
