#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A receiver of webhooks on loopback. Its behaviour depends on the path: /good answers 204, /broken
 * 500, /elsewhere redirects to /good, /endless never ends its answer, /silent never answers.
 */
struct receiver {
    uint16_t port;
    pid_t pid;
    int requests; /* socket on which the test gets the requests, one packet each */
};

/* Starts the receiver, which ends when the test's program ends. Fails the test if it cannot
 * start. */
void receiver_start(struct receiver *receiver);
void receiver_stop(const struct receiver *receiver);

/* Writes the next request, with its header and body, to `request`. Fails the test if none
 * arrives. */
#define RECEIVER_MAX 16384
void receiver_wait_for_request(const struct receiver *receiver, char request[RECEIVER_MAX]);

/* Returns true if another request has arrived. */
int receiver_has_another_request(const struct receiver *receiver);
