#pragma once

#include "games/macros.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* largest number of sockets for a port: one for IPv6 and one for IPv4 */
    LISTEN_SOCKETS_MAX = 2,
};

/*
 * Opens non-blocking listening TCP sockets. `backlog` connections may wait on each (the kernel may
 * allow fewer). `address` is numeric; NULL means all addresses: IPv6 and IPv4 on the same port, or
 * only IPv4 on a machine without IPv6. If *port is 0, the system chooses a free port, which is
 * stored in *port. Returns the number of opened sockets; 0, with a line on the log, if opening
 * fails.
 */
size_t listen_open_sockets(const char *address, uint16_t *port, int backlog,
                           int sockets[LISTEN_SOCKETS_MAX]) MUST_CHECK;

/* Returns the port of a socket; 0 if it has none. */
uint16_t listen_read_port(int fd);

/* Writes the address as text. An IPv4 address mapped into IPv6 appears as IPv4. */
void listen_write_address(const struct sockaddr_storage *address, char text[INET6_ADDRSTRLEN]);
