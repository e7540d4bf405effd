#include "daemon/base/log.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/gate/gate_state.h"

#include <unistd.h>

static bool open_one(struct gate *gate, const struct gate_setup *setup, bool is_telnet,
                     uint16_t *port)
{
    int sockets[LISTEN_SOCKETS_MAX];
    int backlog = setup->backlog > 0 ? setup->backlog : LISTEN_BACKLOG;
    size_t count = listen_open(setup->bind_address, port, backlog, sockets);
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
    return open_one(gate, setup, false, &gate->ports.ssh) &&
           (!setup->has_telnet || open_one(gate, setup, true, &gate->ports.telnet));
}

void gate_stop_listening(struct gate *gate)
{
    for (size_t i = 0; i < gate->listener_count; i++) {
        close(gate->listeners[i].socket);
    }
    gate->listener_count = 0;
}
