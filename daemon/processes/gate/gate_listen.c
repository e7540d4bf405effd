#include "daemon/processes/gate/gate_listen.h"

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/gate/gate_state.h"
#include "daemon/processes/gate/gate_watch.h"

#include <sys/epoll.h>
#include <unistd.h>

static bool listen_on_port(struct gate *gate, const char *address, uint16_t *port,
                           struct gate_listener kind)
{
    int sockets[LISTEN_SOCKETS_MAX];
    size_t count = listen_open_sockets(address[0] != '\0' ? address : NULL, port,
                                       (int)gate->config.listen_backlog, sockets);
    for (size_t i = 0; i < count; i++) {
        kind.socket = sockets[i];
        gate->listeners[gate->listener_count++] = kind;
    }
    if (count > 0) {
        log_pairs(LOG_LEVEL_INFO, 0, "listen",
                  LOG_PAIRS("transport", kind.is_telnet ? "telnet" : "ssh", "port",
                            LOG_NUMBER(*port), "proxy", kind.is_proxied ? "yes" : NULL));
    }
    return count > 0;
}

static bool listen_for_proxies(struct gate *gate, uint32_t configured_port, bool is_telnet)
{
    uint16_t port = (uint16_t)configured_port;
    return port == 0 ||
           listen_on_port(gate, gate->config.proxy_address, &port,
                          (struct gate_listener){.is_telnet = is_telnet, .is_proxied = true});
}

bool gate_listen(struct gate *gate, const struct gate_setup *setup)
{
    const struct config *config = &gate->config;
    gate->ports = setup->ports;
    return listen_on_port(gate, config->listen_address, &gate->ports.ssh,
                          (struct gate_listener){.is_telnet = false}) &&
           (!config->listen_telnet ||
            listen_on_port(gate, config->listen_address, &gate->ports.telnet,
                           (struct gate_listener){.is_telnet = true})) &&
           listen_for_proxies(gate, config->proxy_ssh_port, false) &&
           listen_for_proxies(gate, config->proxy_telnet_port, true);
}

void gate_stop_listening(struct gate *gate)
{
    for (size_t i = 0; i < gate->listener_count; i++) {
        close(gate->listeners[i].socket);
    }
    gate->listener_count = 0;
}

void gate_set_listening(struct gate *gate, bool is_listening)
{
    for (size_t i = 0; i < gate->listener_count; i++) {
        gate_watch_descriptor(gate, gate->listeners[i].socket, is_listening ? EPOLLIN : 0,
                              WATCH_LISTEN, EPOLL_CTL_MOD);
    }
    gate->paused_until_ms = is_listening ? 0 : clock_steady_ms() + GATE_PAUSE_MS;
}
