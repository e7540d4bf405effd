#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/processes/core/core_state.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns the lowest unused connection number for operators; 0 if all are in use. */
static int64_t find_free_operator_conn(const struct core *core)
{
    for (int64_t conn = CORE_CONN_OPERATORS; conn < CORE_CONN_SESSIONS; conn++) {
        if (link_find(&core->links, conn) == NULL) {
            return conn;
        }
    }
    return 0;
}

/* True if the peer is root or the owner of the data folder. This is a second check: the folder's
 * mode already keeps other users out. */
static bool is_peer_root_or_owner(int socket_fd)
{
    struct ucred who;
    socklen_t len = sizeof who;
    return getsockopt(socket_fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 &&
           (who.uid == geteuid() || who.uid == 0);
}

int core_operators_accept_one(int socket_fd)
{
    int accepted = accept4(socket_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) {
        if (errno != EAGAIN && errno != ECONNABORTED) {
            log_event(LOG_LEVEL_WARN, 0, "cannot accept an operator: %s", strerror(errno));
        }
        return -1;
    }
    if (!is_peer_root_or_owner(accepted)) {
        log_event(LOG_LEVEL_WARN, 0, "an operator was refused");
        close(accepted);
        return -1;
    }
    return accepted;
}

/* Connects an operator's program to the house, and closes the socket if there are too many.
 * Returns NULL then. */
static struct link *connect_operator(struct core *core, int socket_fd)
{
    int64_t conn = find_free_operator_conn(core);
    if (conn == 0) {
        log_event(LOG_LEVEL_WARN, 0, "an operator was refused");
        close(socket_fd);
        return NULL;
    }
    struct link *link = core_add_link(core, socket_fd, conn, PEER_OPERATOR);
    log_event(LOG_LEVEL_INFO, conn, "an operator connected");
    core_abort_unless_written(
        core, house_connect(core->house, clock_unix_ms(), conn, PEER_OPERATOR, "", "operator"));
    return link;
}

static void accept_operator(int socket_fd, UNUSED short events, void *context)
{
    struct core *core = context;
    int accepted = core_operators_accept_one(socket_fd);
    if (accepted >= 0) {
        core_metrics_begin_pass(core);
        (void)connect_operator(core, accepted);
    }
}

void core_operators_take_over(struct core *core, int socket_fd)
{
    struct link *link = connect_operator(core, socket_fd);
    if (link != NULL) {
        link_ask_to_start_over(link);
    }
}

void core_operators_accept(struct core *core, int socket_fd)
{
    core->operators = event_new(core->base, socket_fd, EV_READ | EV_PERSIST, accept_operator, core);
    if (core->operators == NULL || event_add(core->operators, NULL) != 0) {
        abort();
    }
}
