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
    const char *user;        /* its user if root starts it */
    const char *ca_file;     /* additional trusted certificates (PEM); "": none */
    struct hook_rules rules; /* without `authorities` */
};

/* Serves until the core's end is closed: returns 0. Returns 1, with a line on the log, if something
 * failed that may work in a new process. */
int hook_run(const struct hook_setup *setup);
