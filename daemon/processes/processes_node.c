#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/core/core.h"

#include <errno.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define BACKLOG 64

/* Makes a listening socket; -1 with errno. */
static int listen_at(const struct sockaddr *address, socklen_t len)
{
    const int is_on = 1;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &is_on, sizeof is_on) != 0 ||
                    bind(fd, address, len) != 0 || listen(fd, BACKLOG) != 0)) {
        fd_close_and_reset(&fd);
    }
    return fd;
}

/* Makes the address stand for all addresses of the machine; the port stays. */
static void set_any_address(struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET) {
        ((struct sockaddr_in *)address)->sin_addr.s_addr = htonl(INADDR_ANY);
    } else {
        ((struct sockaddr_in6 *)address)->sin6_addr = in6addr_any;
    }
}

/* Listens at the address of the settings. If the machine does not have it, since a router
 * translates addresses, listens at the same port of all addresses. */
static int open_listener(const char *text)
{
    struct sockaddr_storage address;
    int len = sizeof address;
    memset(&address, 0, sizeof address);
    if (evutil_parse_sockaddr_port(text, (struct sockaddr *)&address, &len) != 0) {
        log_event(LOG_LEVEL_ERROR, 0,
                  "[cluster] address: \"%s\" is no IP address with a port, such as 192.0.2.1:4022",
                  text);
        return -1;
    }
    int fd = listen_at((const struct sockaddr *)&address, (socklen_t)len);
    if (fd < 0 && errno == EADDRNOTAVAIL) {
        log_event(LOG_LEVEL_INFO, 0,
                  "this machine does not have the address %s: the bridge listens at all addresses",
                  text);
        set_any_address(&address);
        fd = listen_at((const struct sockaddr *)&address, (socklen_t)len);
    }
    if (fd < 0) {
        (void)log_failure("the bridge cannot listen at %s", text);
    }
    return fd;
}

bool processes_node_prepare(struct processes *processes)
{
    const struct config *config = processes->setup->config;
    if (config->cluster_node == 0) {
        return true;
    }
    if (!node_key_load(&processes->node_key, processes->dir->node_key)) {
        return false;
    }
    return processes_node_listen(processes) || processes->list[PROCESS_CORE].is_resumed;
}

bool processes_node_listen(struct processes *processes)
{
    if (processes->bridge_listener < 0) {
        processes->bridge_listener = open_listener(processes->setup->config->cluster_address);
    }
    return processes->bridge_listener >= 0;
}

void processes_node_close(struct processes *processes)
{
    node_key_clear(&processes->node_key);
    fd_close_and_reset(&processes->bridge_listener);
}

struct bridge_setup processes_node_make_bridge_setup(const struct processes *processes)
{
    const struct process *bridge = &processes->list[processes->count - 1];
    struct bridge_setup setup = {
        .core_socket = bridge->own_end,
        .gate_socket = processes->list[PROCESS_GATE].core_end,
        .listener = processes->bridge_listener,
        .private_key = processes->node_key.private_text,
        .rekey_bytes = (uint64_t)processes->setup->config->ssh_rekey_mib << 20,
        .metrics = {processes->metrics.page, LIFE_FIRST + processes->count - 1},
    };
    for (unsigned i = PROCESS_WORKERS; i < processes->count; i++) {
        const struct process *process = &processes->list[i];
        bool is_carried = strcmp(process->name, "auth") == 0 || strcmp(process->name, "bot") == 0;
        if (is_carried && setup.worker_count < BRIDGE_WORKERS_MAX) {
            setup.workers[setup.worker_count].socket = process->core_end;
            setup.workers[setup.worker_count].kind = process->name;
            setup.worker_count++;
        }
    }
    return setup;
}

int64_t processes_node_first_conn(const struct processes *processes)
{
    return (int64_t)processes->setup->config->cluster_node << CORE_NODES_SHIFT;
}
