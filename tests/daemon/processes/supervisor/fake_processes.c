/*
 * Processes that do nothing but stay alive, so that the supervisor is tested alone. Each process
 * checks that it has exactly its own descriptors. The gate has one session as its child. The core
 * dies at its start if there is a file "die" beside the data, and exits if there is a file "exit".
 */
#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/bridge/bridge.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/gate/gate.h"
#include "daemon/processes/workers/workers.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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
    bool has_bridge = setup->bridge_socket >= 0;
    if (has_bridge != (setup->node_key != NULL) ||
        count_open_descriptors() !=
            setup->worker_count + has_bridge +
                3) { /* three more: the gate's socket, the socket for operators, and ready_fd */
        return STATUS_STRANGE_DESCRIPTORS;
    }
    if (does_file_exist_beside(setup->database, "die")) {
        abort();
    }
    if (does_file_exist_beside(setup->database, "exit")) {
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
    if (count_open_descriptors() != 3 || stat(setup->host_key, &info) != 0 ||
        setup->first_conn >> 48 != setup->config->cluster_node) {
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

/* Counts like count_open_descriptors, but without opening a file, which the bridge may not. */
static unsigned count_descriptors_one_by_one(void)
{
    unsigned count = 0;
    for (int fd = STDERR_FILENO + 1; fd < 1024; fd++) {
        count += fcntl(fd, F_GETFD) >= 0;
    }
    return count;
}

static bool is_listening(int socket)
{
    int is_it = 0;
    socklen_t len = sizeof is_it;
    return getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &is_it, &len) == 0 && is_it != 0;
}

int bridge_run(const struct bridge_setup *setup)
{
    /* three more: the sockets of the core and of the gate, and the one that listens */
    if (setup->worker_count < 2 || setup->private_key == NULL || !is_listening(setup->listener) ||
        count_descriptors_one_by_one() != setup->worker_count + 3 ||
        (!IS_SANITIZED && open("/etc/passwd", O_RDONLY) >= 0)) {
        return STATUS_STRANGE_DESCRIPTORS;
    }
    wait_for_sigterm();
    return 0;
}

int bot_run(int core_socket, UNUSED const struct metrics *metrics)
{
    char byte;
    return count_open_descriptors() == 1 && read(core_socket, &byte, 1) >= 0
               ? 0
               : STATUS_STRANGE_DESCRIPTORS;
}
