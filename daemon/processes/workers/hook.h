#pragma once

#include "daemon/metrics/metrics.h"
#include "daemon/processes/workers/hook_call.h"

/*
 * The process that sends webhooks. Only this process and the gate reach the network, and this
 * process can only make outgoing connections. The core tells it which requests to send. It reports
 * the results and keeps nothing.
 */
#define HOOK_USER "nobody"

struct hook_setup {
    int core_socket;
    const char *user;        /* user to become if root starts the process */
    const char *ca_file;     /* additional trusted certificates (PEM); "": none */
    struct metrics metrics;  /* hook_run gives signs of life (life.h) */
    struct hook_rules rules; /* limits of a webhook call; hook_run fills in `authorities` itself */
};

/* Reads a file of certificates (PEM). Returns its text, which the caller frees; NULL, with a line
 * on the log, if it holds no certificate. */
char *hook_read_authorities(const char *path, size_t *len) MUST_CHECK;

/* Serves until the core closes its end of the socket, and then returns 0. Returns 1, with a line on
 * the log, after an error that a new process may not have. */
int hook_run(const struct hook_setup *setup);
