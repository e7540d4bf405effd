#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FIRST_FD 3 /* systemd passes descriptors from this number on */

static bool report_error(const char *why)
{
    return subcommand_fail(&serve_subcommand, _("a socket from systemd"), why) == 0;
}

/* Reads a whole number from the environment; 0 if there is none. */
static long read_number(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

static int read_socket_option(int fd, int option)
{
    int value = -1;
    socklen_t len = sizeof value;
    return getsockopt(fd, SOL_SOCKET, option, &value, &len) == 0 ? value : -1;
}

static bool is_listening_tcp_socket(int fd)
{
    int family = read_socket_option(fd, SO_DOMAIN);
    return (family == AF_INET || family == AF_INET6) &&
           read_socket_option(fd, SO_TYPE) == SOCK_STREAM &&
           read_socket_option(fd, SO_ACCEPTCONN) == 1;
}

/* Makes the descriptor non-blocking, and lets no program that this process starts inherit it. */
static bool set_flags(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static bool take_socket(struct listeners *listeners, int fd, const char *name)
{
    bool is_telnet = name != NULL && strcmp(name, "telnet") == 0;
    if (!is_telnet && (name == NULL || strcmp(name, "ssh") != 0)) {
        return report_error(_("its name (FileDescriptorName) must be ssh or telnet"));
    }
    if (!is_listening_tcp_socket(fd)) {
        return report_error(_("not a listening TCP socket"));
    }
    if (!set_flags(fd)) {
        return report_error(strerror(errno));
    }
    return listeners_add(listeners, (struct listener){.socket = fd, .is_telnet = is_telnet}) ||
           report_error(_("too many of them"));
}

bool passed_sockets_take(struct listeners *listeners)
{
    long count = read_number("LISTEN_PID") == getpid() ? read_number("LISTEN_FDS") : 0;
    const char *variable = getenv("LISTEN_FDNAMES");
    char *names = strdup(variable != NULL ? variable : "");
    char *rest = names;
    bool is_taken = names != NULL;
    for (int i = 0; i < count && is_taken; i++) {
        is_taken = take_socket(listeners, FIRST_FD + i, strsep(&rest, ":"));
    }
    free(names);
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    return is_taken;
}
