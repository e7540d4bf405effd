#include "daemon/processes/gate/gate_listen.h"

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/gate/gate_state.h"
#include "daemon/processes/gate/gate_watch.h"

#include <sys/epoll.h>
#include <unistd.h>

static bool listen_on_port(struct gate *gate, bool is_telnet, uint16_t *port)
{
    int sockets[LISTEN_SOCKETS_MAX];
    const char *address = gate->config.listen_address;
    size_t count = listen_open_sockets(address[0] != '\0' ? address : NULL, port,
                                       (int)gate->config.listen_backlog, sockets);
    for (size_t i = 0; i < count; i++) {
        gate->listeners[gate->listener_count++] = (struct gate_listener){sockets[i], is_telnet};
    }
    if (count > 0) {
        log_pairs(LOG_LEVEL_INFO, 0, "listen",
                  LOG_PAIRS("transport", is_telnet ? "telnet" : "ssh", "port", LOG_NUMBER(*port)));
    }
    return count > 0;
}

bool gate_listen(struct gate *gate, const struct gate_setup *setup)
{
    gate->ports = setup->ports;
    return listen_on_port(gate, false, &gate->ports.ssh) &&
           (!gate->config.listen_telnet || listen_on_port(gate, true, &gate->ports.telnet));
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
