#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/gate/gate_state.h"

#include <errno.h>
#include <sys/socket.h>

enum {
    ACCEPTS_PER_PASS = 16 /* most connections accepted in one pass of the gate's loop */
};

static void accept_from(struct gate *gate, const struct listener *listener)
{
    struct gate_client client = {.is_telnet = listener->is_telnet};
    socklen_t len = sizeof(client.address);
    client.socket = accept4(listener->socket, (struct sockaddr *)&client.address, &len,
                            SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client.socket >= 0 && listener->is_proxied) {
        gate_proxy_add(gate, client.socket, client.is_telnet, &client.address);
    } else if (client.socket >= 0) {
        gate_admit_client(gate, &client);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
        log_failure("cannot accept");
        gate_set_listening(gate, false);
    }
}

void gate_accept_waiting_connections(struct gate *gate)
{
    /* an ending gate has closed its listeners, but they may still cause events: a session that was
     * just forked may keep one open for a moment */
    int tries = gate->listeners.count > 0 ? ACCEPTS_PER_PASS : 0;
    for (int i = 0; i < tries && gate->paused_until_ms == 0; i++) {
        accept_from(gate, &gate->listeners.list[(size_t)i % gate->listeners.count]);
    }
}
