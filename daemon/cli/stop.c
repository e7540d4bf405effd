#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "daemon/processes/processes.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How long `stop` waits: longer than the supervisor takes to end all processes (processes_stop.c).
 */
#define STOP_MS 30000

/* Says what was closed: of several nodes, only this one. */
static const char *describe_closed(const struct house_nodes *nodes)
{
    if (nodes->alive > 1) {
        return _("This node is closed; the house goes on at the others.");
    }
    return nodes->is_one_of_several && nodes->alive == 0 /* it never learnt of the others */
               ? _("This node is closed.")
               : _("The house is closed.");
}

/* Explains why it is not known which process is the supervisor. */
static const char *describe_unknown_supervisor(pid_t supervisor)
{
    if (supervisor == 0) {
        return _("the house is open in another PID namespace, such as a container: close it there");
    }
    return errno == ENOENT || errno == ECONNREFUSED
               ? _("a house is just opening or closing, or another subcommand uses the data: try "
                   "again")
               : strerror(errno);
}

/* Ends the house, whose supervisor calls itself house_pid. Signals it through a descriptor of its
 * process (pidfd_open(2)): if another process has got the same process id, that process gets no
 * signal. */
static int stop_house(const char *data_dir, pid_t house_pid)
{
    struct house_nodes nodes = {.alive = 0};
    const bool is_known = house_nodes_read(data_dir, house_pid, &nodes);
    (void)is_known; /* a house without a page is described like one with its data in a file */
    pid_t supervisor = control_socket_find_supervisor(data_dir);
    if (supervisor <= 0) {
        return subcommand_fail(&stop_subcommand, data_dir, describe_unknown_supervisor(supervisor));
    }
    int process = fd_open_process(supervisor);
    if (process < 0 || !fd_signal_process(process, SIGTERM)) {
        int status =
            errno == ESRCH ? 0 : subcommand_fail(&stop_subcommand, data_dir, strerror(errno));
        fd_close(process);
        return status;
    }
    struct pollfd end = {.fd = process, .events = POLLIN};
    int ended;
    while ((ended = poll(&end, 1, STOP_MS)) < 0 && errno == EINTR) {
    }
    close(process);
    if (ended <= 0) {
        fprintf(stderr, "trickhouse stop: the house (process %ld) is still closing\n",
                (long)supervisor);
        return 1;
    }
    puts(describe_closed(&nodes));
    return 0;
}

static int stop_run(char **argv)
{
    const char *data_dir = arguments_read_data_dir(&stop_subcommand, argv);
    if (data_dir == NULL) {
        return 2;
    }
    pid_t house_pid = open_house_find(&stop_subcommand, data_dir);
    if (house_pid == 0) {
        printf(_("No house is open with the data in %s.\n"), data_dir);
        return 0;
    }
    return house_pid > 0 ? stop_house(data_dir, house_pid) : 1;
}

const struct subcommand stop_subcommand = {
    .name = "stop",
    .args = "--data DIR",
    .help = N_("Close the house whose data is in DIR."),
    .more = N_("Returns once every process has ended. It is not an error if no house is open. If\n"
               "other nodes of the house are alive, only this node is closed."),
    .run = stop_run,
};
