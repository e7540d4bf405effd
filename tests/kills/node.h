#pragma once

#include <stdbool.h>
#include <sys/types.h>

/*
 * A running house, or one of several nodes that run one house: its supervisor, with its own data
 * folder and its own ssh port on loopback. Any failure in these functions ends the process with a
 * line on standard error.
 */
#define NODE_PATH_SIZE 160

struct node {
    char data[NODE_PATH_SIZE]; /* the data folder */
    pid_t supervisor;          /* 0: it does not run */
    int port;                  /* each start chooses a free one */
    int ready;                 /* where the starting node says that it is open; -1: it is */
};

/* Starts the program. The node ends when this process ends. node_is_open tells when people can
 * connect. */
void node_start(struct node *node, const char *program);

/* Waits up to that time. Returns whether people can connect. */
bool node_is_open(struct node *node, int wait_ms);

/* Whether the supervisor has ended by itself. */
bool node_has_ended(struct node *node);

/* Kills all its processes with SIGKILL, as when the power of its machine fails. */
void node_kill(struct node *node);

/* Stop all its processes with SIGSTOP, as when its machine stands still, and let them go on. */
void node_pause(const struct node *node);
void node_resume(const struct node *node);

/* Closes it. Returns whether it ended without an error. */
bool node_stop(struct node *node);
