#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"

#include <errno.h>
#include <event2/util.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define CONTROL_NAME "control"
#define WAITING_MAX 128
#define NODES_WAITING_MAX 64
#define CONNECT_WAIT_S 4

/* Returns the address of the socket. Its path goes through a descriptor of the folder, because an
 * address has room for only 107 bytes of path. */
static struct sockaddr_un make_socket_address(int folder_fd)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" CONTROL_NAME,
                   folder_fd);
    return address;
}

static bool bind_and_listen(int folder_fd, int socket_fd)
{
    const struct sockaddr_un address = make_socket_address(folder_fd);
    if (unlinkat(folder_fd, CONTROL_NAME, 0) != 0 && errno != ENOENT) {
        return false;
    }
    mode_t before = umask(0177);
    bool is_bound = bind(socket_fd, (const struct sockaddr *)&address, sizeof address) == 0;
    umask(before);
    return is_bound && listen(socket_fd, WAITING_MAX) == 0;
}

/* Connects to the socket. Fails if a hung core no longer accepts connections and the queue is
 * full. */
static bool connect_control_socket(int folder_fd, int socket_fd)
{
    const struct sockaddr_un address = make_socket_address(folder_fd);
    const struct timeval wait = {.tv_sec = CONNECT_WAIT_S};
    return setsockopt(socket_fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait) == 0 &&
           connect(socket_fd, (const struct sockaddr *)&address, sizeof address) == 0;
}

static int open_control_socket(const char *data_dir, int flags,
                               bool (*prepare)(int folder_fd, int socket_fd))
{
    int folder_fd = open(data_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0) {
        return -1;
    }
    int socket_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0);
    if (socket_fd >= 0 && !prepare(folder_fd, socket_fd)) {
        fd_close(socket_fd);
        socket_fd = -1;
    }
    fd_close(folder_fd);
    return socket_fd;
}

int control_socket_listen(const char *data_dir)
{
    return open_control_socket(data_dir, SOCK_NONBLOCK, bind_and_listen);
}

int control_socket_connect(const char *data_dir)
{
    return open_control_socket(data_dir, 0, connect_control_socket);
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

int node_listen(const char *text)
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
    int fd = listen_at((const struct sockaddr *)&address, (socklen_t)len, NODES_WAITING_MAX);
    if (fd < 0 && errno == EADDRNOTAVAIL) {
        log_event(LOG_LEVEL_INFO, 0,
                  "this machine does not have the address %s: the bridge listens at all addresses",
                  text);
        set_any_address(&address);
        fd = listen_at((const struct sockaddr *)&address, (socklen_t)len, NODES_WAITING_MAX);
    }
    if (fd < 0) {
        (void)log_failure("the bridge cannot listen at %s", text);
    }
    return fd;
}
