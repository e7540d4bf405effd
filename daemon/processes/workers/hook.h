#pragma once

#include "daemon/processes/workers/hook_call.h"

/*
 * The process that sends webhooks. Besides the gate it is the only one that reaches the network,
 * and it can only make outgoing connections. The core tells it what to send; it reports the result
 * and keeps nothing.
 */
#define HOOK_USER "nobody"

struct hook_setup {
    int core_socket;
    const char *user;        /* user to become if root starts the process */
    const char *ca_file;     /* additional trusted certificates (PEM); "": none */
    struct hook_rules rules; /* limits of a call; `authorities` is not set */
};

/* Serves until the core closes its end, and then returns 0. Returns 1, with a line on the log,
 * after an error that a new process may not have. */
int hook_run(const struct hook_setup *setup);
