#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/gate/gate_state.h"

#include <sys/epoll.h>

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
