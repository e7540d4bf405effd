#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/gate/gate_state.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/epoll.h>
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

/* Opens sockets of this kind on the address. Returns false with a line on the log. */
static bool open_sockets(struct gate *gate, const char *address, uint16_t *port,
                         struct listener kind)
{
    int sockets[LISTEN_SOCKETS_MAX];
    size_t count = listen_open_sockets(address[0] != '\0' ? address : NULL, port,
                                       (int)gate->config.listen_backlog, sockets);
    for (size_t i = 0; i < count; i++) {
        kind.socket = sockets[i];
        if (!listeners_add(&gate->listeners, kind)) {
            log_event(LOG_LEVEL_ERROR, 0, "too many sockets to listen on");
            fd_close(sockets[i]);
            count = 0;
        }
    }
    return count > 0;
}

static void log_listening(uint16_t port, struct listener kind)
{
    log_pairs(LOG_LEVEL_INFO, 0, "listen",
              LOG_PAIRS("transport", kind.is_telnet ? "telnet" : "ssh", "port", LOG_NUMBER(port),
                        "proxy", kind.is_proxied ? "yes" : NULL));
}

/* Listens for a transport, on the sockets from systemd if there are any for it. */
static bool listen_for_transport(struct gate *gate, bool is_telnet, uint16_t *port)
{
    const struct listener kind = {.is_telnet = is_telnet};
    if (!listeners_include(&gate->listeners, is_telnet) &&
        !open_sockets(gate, gate->config.listen_address, port, kind)) {
        return false;
    }
    for (size_t i = gate->listeners.count; i > 0; i--) {
        const struct listener *listener = &gate->listeners.list[i - 1];
        *port = listener->is_telnet == is_telnet ? listen_read_port(listener->socket) : *port;
    }
    log_listening(*port, kind);
    return true;
}

static bool listen_for_proxies(struct gate *gate, uint32_t configured_port, bool is_telnet)
{
    const struct listener kind = {.is_telnet = is_telnet, .is_proxied = true};
    uint16_t port = (uint16_t)configured_port;
    if (port == 0) {
        return true;
    }
    bool is_listening = open_sockets(gate, gate->config.proxy_address, &port, kind);
    if (is_listening) {
        log_listening(port, kind);
    }
    return is_listening;
}

bool gate_listen(struct gate *gate, const struct gate_setup *setup)
{
    const struct config *config = &gate->config;
    gate->ports = setup->ports;
    if (setup->listeners != NULL) {
        gate->listeners = *setup->listeners;
    }
    bool has_telnet = config->listen_telnet || listeners_include(&gate->listeners, true);
    return listen_for_transport(gate, false, &gate->ports.ssh) &&
           (!has_telnet || listen_for_transport(gate, true, &gate->ports.telnet)) &&
           listen_for_proxies(gate, config->proxy_ssh_port, false) &&
           listen_for_proxies(gate, config->proxy_telnet_port, true);
}

void gate_stop_listening(struct gate *gate)
{
    for (size_t i = 0; i < gate->listeners.count; i++) {
        /* the supervisor may have the socket open too: then epoll would go on watching it */
        epoll_ctl(gate->epoll, EPOLL_CTL_DEL, gate->listeners.list[i].socket, NULL);
    }
    listeners_close(&gate->listeners);
}

void gate_set_listening(struct gate *gate, bool is_listening)
{
    for (size_t i = 0; i < gate->listeners.count; i++) {
        gate_watch_descriptor(gate, gate->listeners.list[i].socket, is_listening ? EPOLLIN : 0,
                              WATCH_LISTEN, EPOLL_CTL_MOD);
    }
    gate->paused_until_ms = is_listening ? 0 : clock_steady_ms() + GATE_PAUSE_MS;
}
