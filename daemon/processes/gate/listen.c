#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* Makes the socket listen. An IPv6 socket accepts only IPv6, and IPv4 has a socket of its own. So
 * both work, whatever the system's default is. */
static bool bind_and_listen(int fd, const struct addrinfo *address, int backlog)
{
    const int on = 1;
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
           (address->ai_family != AF_INET6 ||
            setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) == 0) &&
           bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, backlog) == 0;
}

uint16_t listen_read_port(int fd)
{
    struct sockaddr_in6 address = {0}; /* IPv4 and IPv6 addresses have the port in the same place */
    socklen_t len = sizeof(address);
    return getsockname(fd, (struct sockaddr *)&address, &len) == 0 ? ntohs(address.sin6_port) : 0;
}

/* Makes a listening socket and returns it; -1 with errno. */
static int open_socket(const char *address_text, uint16_t *port, int backlog)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *address;
    char port_text[8];
    (void)snprintf(port_text, sizeof(port_text), "%u", *port);
    if (getaddrinfo(address_text, port_text, &hints, &address) != 0) {
        errno = EINVAL;
        return -1;
    }
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && !bind_and_listen(fd, address, backlog)) {
        fd_close_and_reset(&fd);
    }
    freeaddrinfo(address);
    *port = fd >= 0 ? listen_read_port(fd) : *port;
    return fd;
}

static void close_sockets(const int *sockets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        close(sockets[i]);
    }
}

size_t listen_open_sockets(const char *address, uint16_t *port, int backlog,
                           int sockets[LISTEN_SOCKETS_MAX])
{
    const char *const wanted[LISTEN_SOCKETS_MAX] = {address == NULL ? "::" : address,
                                                    address == NULL ? "0.0.0.0" : NULL};
    size_t count = 0;
    for (size_t i = 0; i < LISTEN_SOCKETS_MAX && wanted[i] != NULL; i++) {
        int fd = open_socket(wanted[i], port, backlog);
        if (fd >= 0) {
            sockets[count++] = fd;
            continue;
        }
        bool is_missing_ipv6 =
            address == NULL && i == 0 && (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL);
        if (!is_missing_ipv6) {
            log_failure("cannot listen on %s port %u", wanted[i], *port);
            close_sockets(sockets, count);
            return 0;
        }
    }
    return count;
}

void listen_write_address(const struct sockaddr_storage *address, char text[INET6_ADDRSTRLEN])
{
    uint8_t bytes[16];
    text[0] = '\0';
    if (ip_net_read_address((const struct sockaddr *)address, sizeof(*address), bytes)) {
        bool is_v4 = ip_net_is_ipv4(bytes);
        (void)inet_ntop(is_v4 ? AF_INET : AF_INET6, is_v4 ? bytes + 12 : bytes, text,
                        INET6_ADDRSTRLEN); /* cannot fail: the buffer is large enough */
    }
}
