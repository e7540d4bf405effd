#ifndef TESTS_DAEMON_PROCESSES_RECEIVER_H
#define TESTS_DAEMON_PROCESSES_RECEIVER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Somebody's receiver of webhooks on loopback, good and bad, by the path that is asked for: /good
 * answers 204, /broken 500, /elsewhere sends to /good, /endless answers without an end, /silent
 * never.
 */
struct receiver {
    uint16_t port;
    pid_t pid;
    int requests; /* what was asked, all of each as one packet */
};

/* Fails the test when it cannot. Ends with the test's program. */
void receiver_start(struct receiver *receiver);
void receiver_stop(const struct receiver *receiver);

/* The next request that came, head and body; fails the test when none comes. */
#define RECEIVER_MAX 16384
void receiver_take(const struct receiver *receiver, char request[RECEIVER_MAX]);

/* How many more have come by now: 0 or 1. */
int receiver_has_more(const struct receiver *receiver);

#endif
