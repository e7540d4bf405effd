#ifndef DAEMON_PROCESSES_WORKERS_HOOK_H
#define DAEMON_PROCESSES_WORKERS_HOOK_H

#include "daemon/processes/workers/hook_call.h"

/*
 * The process that calls webhooks: besides the gate's, the only one that reaches the network, and
 * it can only call out. It is told what to send, says what became of it, and keeps nothing.
 */
#define HOOK_USER "nobody"

struct hook_setup {
    int core_socket;
    const char *user;        /* whom it runs as when it is started by root */
    const char *ca_file;     /* certificates (PEM) trusted besides the system's; "": none */
    struct hook_rules rules; /* without `authorities` */
};

/* Serves until the core's end is closed: 0; 1 when something failed that a new process may do
 * better, said on the log. */
int hook_run(const struct hook_setup *setup);

#endif
