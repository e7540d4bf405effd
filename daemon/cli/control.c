#include "daemon/base/fd.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/arguments.h"
#include "daemon/cli/operator.h"
#include "daemon/processes/data_dir.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The subcommands `stop` and `status`, for a house that is open. */

/* How long `stop` waits: longer than the supervisor takes to end all processes (processes.c). */
#define STOP_MS 30000

#define STATUS_SILENT 3 /* exit status of `status` if the house does not answer */

/* Ends the house. Signals it through a descriptor of its process (pidfd_open(2)): if another
 * process has got the same process id, that process gets no signal. */
static int stop_house(const char *data_dir, pid_t house_pid)
{
    int process = fd_open_process(house_pid);
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
                (long)house_pid);
        return 1;
    }
    puts(_("The house is closed."));
    return 0;
}

/* Calls `act` with the process id of the house that is open with --data DIR, and returns its
 * result. Returns `status_if_closed` if no house is open. */
static int act_on_open_house(const struct subcommand *self, char **argv, int status_if_closed,
                             int (*act)(const char *data_dir, pid_t house_pid))
{
    const char *data_dir = arguments_read_data_dir(self, argv);
    pid_t house_pid;
    if (data_dir == NULL) {
        return 2;
    }
    switch (data_dir_find_supervisor(data_dir, &house_pid)) {
    case DATA_DIR_OK:
        return act(data_dir, house_pid);
    case DATA_DIR_CLOSED:
        printf(_("No house is open with the data in %s.\n"), data_dir);
        return status_if_closed;
    case DATA_DIR_FAILED:
    case DATA_DIR_LOCKED:
        break;
    }
    return subcommand_fail(self, data_dir, strerror(errno));
}

static int stop_run(char **argv)
{
    return act_on_open_house(&stop_subcommand, argv, 0, stop_house);
}

/* Prints whether the house answers. A house whose core hangs counts as not working. */
static int print_status(const char *data_dir, pid_t house_pid)
{
    switch (operator_check_core_answers(data_dir)) {
    case OPERATOR_OK:
        printf(_("The house is open (process %ld).\n"), (long)house_pid);
        return 0;
    case OPERATOR_CLOSED:
        printf(_("The house (process %ld) accepts nobody: it is opening or closing.\n"),
               (long)house_pid);
        return STATUS_SILENT;
    case OPERATOR_REFUSED:
    case OPERATOR_FAILED:
    case OPERATOR_STAYED:
        break;
    }
    printf(_("The house (process %ld) does not work: %s.\n"), (long)house_pid,
           operator_explain_failure());
    return STATUS_SILENT;
}

static int status_run(char **argv)
{
    return act_on_open_house(&status_subcommand, argv, 1, print_status);
}

const struct subcommand stop_subcommand = {
    .name = "stop",
    .args = "--data DIR",
    .help = N_("Close the house whose data is in DIR."),
    .more = N_("Returns once every process has ended. It is not an error if no house is open."),
    .run = stop_run,
};

const struct subcommand status_subcommand = {
    .name = "status",
    .args = "--data DIR",
    .help = N_("Show whether a house is open with the data in DIR."),
    .more = N_("The exit status is 0 if a house is open and answers, 1 if none is open, and 3 if\n"
               "one is open but does not answer, which takes some seconds to find out."),
    .run = status_run,
};
