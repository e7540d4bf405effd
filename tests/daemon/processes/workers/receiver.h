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
    int requests; /* the requests, one packet each */
};

/* Fails the test if it cannot start. Ends with the test's program. */
void receiver_start(struct receiver *receiver);
void receiver_stop(const struct receiver *receiver);

/* Returns the next request, head and body; fails the test if none arrives. */
#define RECEIVER_MAX 16384
void receiver_take(const struct receiver *receiver, char request[RECEIVER_MAX]);

/* Returns how many more have arrived: 0 or 1. */
int receiver_has_more(const struct receiver *receiver);
