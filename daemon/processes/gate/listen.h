#pragma once

#include "games/macros.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LISTEN_SOCKETS_MAX = 2, /* most sockets for a port: one for IPv6 and one for IPv4 */
};

/*
 * Opens non-blocking listening TCP sockets, on which `backlog` connections may wait (the kernel may
 * allow fewer). `address` is numeric; NULL means all addresses: IPv6 and IPv4 on the same port, or
 * only IPv4 on a machine without IPv6. *port 0 means any free port; the port in use is stored
 * there. Returns how many sockets were opened; 0, with a line on the log, if that fails.
 */
size_t listen_open_sockets(const char *address, uint16_t *port, int backlog,
                           int sockets[LISTEN_SOCKETS_MAX]) MUST_CHECK;

/* Writes the address as text. An IPv4 address mapped into IPv6 appears as IPv4. */
void listen_write_address(const struct sockaddr_storage *address, char text[INET6_ADDRSTRLEN]);
