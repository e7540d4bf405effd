#include "tests/kills/node.h"

#include "tests/kills/killer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn static void fail(const char *what, const char *why)
{
    fprintf(stderr, "node: %s: %s\n", what, why);
    exit(2);
}

void node_start(struct node *node, const char *program)
{
    int ready[2];
    char number[16];
    if (pipe2(ready, O_CLOEXEC) != 0) {
        fail("pipe", strerror(errno));
    }
    (void)snprintf(number, sizeof(number), "%d", ready[1]);
    node->supervisor = fork();
    if (node->supervisor == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* when this program ends, the node ends too */
        (void)fcntl(ready[1], F_SETFD, 0);
        execl(program, program, "serve", "--data", node->data, "--ssh-port", "0", "--bind",
              "127.0.0.1", "--log", "--ready-fd", number, (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    if (node->supervisor < 0) {
        fail(program, strerror(errno));
    }
    node->ready = ready[0];
}

bool node_is_open(struct node *node, int wait_ms)
{
    char text[16] = "";
    struct pollfd wanted = {.fd = node->ready, .events = POLLIN};
    if (node->ready >= 0 && poll(&wanted, 1, wait_ms) == 1) {
        if (read(node->ready, text, sizeof(text) - 1) <= 0) {
            fail(node->data, "the house does not open");
        }
        close(node->ready);
        node->ready = -1;
        node->port = atoi(text);
    }
    return node->ready < 0;
}

bool node_has_ended(struct node *node)
{
    return waitpid(node->supervisor, NULL, WNOHANG) == node->supervisor;
}

void node_kill(struct node *node)
{
    killer_signal_whole_house(node->supervisor, SIGKILL);
    if (waitpid(node->supervisor, NULL, 0) != node->supervisor) {
        fail("waitpid", strerror(errno));
    }
    if (node->ready >= 0) {
        close(node->ready);
        node->ready = -1;
    }
    node->supervisor = 0;
}

void node_pause(const struct node *node)
{
    killer_signal_whole_house(node->supervisor, SIGSTOP);
}

void node_resume(const struct node *node)
{
    killer_signal_whole_house(node->supervisor, SIGCONT);
}

bool node_stop(struct node *node)
{
    int status;
    kill(node->supervisor, SIGTERM);
    bool is_clean = waitpid(node->supervisor, &status, 0) == node->supervisor &&
                    WIFEXITED(status) && WEXITSTATUS(status) == 0;
    node->supervisor = 0;
    return is_clean;
}
