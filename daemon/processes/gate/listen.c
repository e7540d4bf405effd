#include "daemon/processes/gate/listen.h"

#include "daemon/base/fd.h"
#include "daemon/base/log.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Parses a numeric address; *len becomes the length that bind needs. Returns false with errno. */
static bool parse_address(const char *text, uint16_t port, struct sockaddr_storage *address,
                          socklen_t *len)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    memset(address, 0, sizeof(*address));
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        memcpy(address, &v4, sizeof(v4));
        *len = sizeof(v4);
        return true;
    }
    if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
        memcpy(address, &v6, sizeof(v6));
        *len = sizeof(v6);
        return true;
    }
    errno = EINVAL;
    return false;
}

static bool bind_and_listen(int fd, const struct sockaddr_storage *address, socklen_t len,
                            int backlog)
{
    const int on = 1;
    /* a socket for IPv6 only: IPv4 has its own, so that both work whatever the system's default */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        (address->ss_family == AF_INET6 &&
         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) != 0)) {
        return false;
    }
    struct sockaddr_storage copy = *address;
    return bind(fd, (struct sockaddr *)&copy, len) == 0 && listen(fd, backlog) == 0;
}

static uint16_t read_port(int fd)
{
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof(address);
    in_port_t port = 0;
    if (getsockname(fd, (struct sockaddr *)&address, &len) == 0) {
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        memcpy(&v4, &address, sizeof(v4));
        memcpy(&v6, &address, sizeof(v6));
        port = address.ss_family == AF_INET ? v4.sin_port : v6.sin6_port;
    }
    return ntohs(port);
}

/* Returns the listening socket; -1 with errno. */
static int open_socket(const char *text, uint16_t *port, int backlog)
{
    struct sockaddr_storage address;
    socklen_t len = 0;
    if (!parse_address(text, *port, &address, &len)) {
        return -1;
    }
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    if (!bind_and_listen(fd, &address, len, backlog)) {
        fd_close(fd);
        return -1;
    }
    *port = read_port(fd);
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
            log_event(LOG_LEVEL_ERROR, 0, "cannot listen on %s port %u: %s", wanted[i], *port,
                      strerror(errno));
            close_sockets(sockets, count);
            return 0;
        }
    }
    return count;
}

void listen_write_address(const struct sockaddr_storage *address, char text[INET6_ADDRSTRLEN])
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    memcpy(&v4, address, sizeof(v4));
    memcpy(&v6, address, sizeof(v6));
    const void *bytes = &v4.sin_addr;
    int family = AF_INET;
    if (address->ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
        bytes = v6.sin6_addr.s6_addr + 12;
    } else if (address->ss_family == AF_INET6) {
        bytes = &v6.sin6_addr;
        family = AF_INET6;
    }
    if (inet_ntop(family, bytes, text, INET6_ADDRSTRLEN) == NULL) {
        text[0] = '\0';
    }
}
