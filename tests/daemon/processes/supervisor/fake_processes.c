/*
 * Processes that do nothing but stay alive, so that the supervisor is tested alone. Each process
 * checks that it has exactly its own descriptors. The gate has one session as its child. The core
 * dies at its start if there is a file "die" beside the data.
 */
#include "daemon/base/process_name.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/workers/bot.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATUS_STRANGE_DESCRIPTORS 77

/* Returns how many descriptors are open, except the standard ones and the one that lists the folder
 * of descriptors. */
static unsigned count_open_descriptors(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        long number = strtol(entry->d_name, NULL, 10);
        if (number > STDERR_FILENO && number != dirfd(folder)) {
            count++;
        }
    }
    closedir(folder);
    return count;
}

static void wait_for_sigterm(void)
{
    sigset_t term;
    int number;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
    sigwait(&term, &number);
}

static bool does_file_exist_beside(const char *database, const char *name)
{
    char path[PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%.*s%s", (int)(strrchr(database, '/') + 1 - database), database,
             name);
    return stat(path, &info) == 0;
}

int core_run(const struct core_setup *setup)
{
    if (count_open_descriptors() !=
        setup->worker_count +
            3) { /* three more: the gate's socket, the socket for operators, and ready_fd */
        return STATUS_STRANGE_DESCRIPTORS;
    }
    if (does_file_exist_beside(setup->database, "die")) {
        return 1;
    }
    dprintf(setup->ready_fd, "\n");
    close(setup->ready_fd);
    wait_for_sigterm();
    return 0;
}

int gate_run(const struct gate_setup *setup)
{
    struct stat info;
    if (count_open_descriptors() != 3 || stat(setup->host_key, &info) != 0) {
        return STATUS_STRANGE_DESCRIPTORS;
    }
    pid_t session = fork();
    if (session == 0) {
        process_set_name("session");
        for (;;) {
            pause();
        }
    }
    (void)signal(SIGUSR2, SIG_IGN);
    dprintf(setup->ready_fd, "4242\n");
    close(setup->ready_fd);
    wait_for_sigterm();
    kill(session, SIGKILL);
    waitpid(session, NULL, 0);
    return 0;
}

int bot_run(int core_socket, UNUSED const struct metrics *metrics)
{
    char byte;
    return count_open_descriptors() == 1 && read(core_socket, &byte, 1) >= 0
               ? 0
               : STATUS_STRANGE_DESCRIPTORS;
}
