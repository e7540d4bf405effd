#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Reserves a port against the other tests that run meanwhile, by a socket with a name, which stays
 * open until this process ends. tests/hostile/house.py does the same. */
static inline bool ports_reserve(int port)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int len =
        snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "trickhouse-test-port-%d", port);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
    int reservation = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (reservation >= 0 && bind(reservation, (struct sockaddr *)&name, size) != 0) {
        close(reservation);
        return false;
    }
    return reservation >= 0;
}

/* Returns a loopback port that nobody uses, or -1 if there is none. The port is below those from
 * which the kernel chooses (ip(7), ip_local_port_range): no connection of another program gets it
 * before the caller listens there, and no other test. */
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
        if (error == 0 && ports_reserve(port)) {
            return port;
        }
    }
    return -1;
}
