#pragma once

#include "games/macros.h"

#include <stdint.h>

/* Compares what the configured number of sessions needs with what the machine allows. */

/* What the machine allows this process and those that it starts; UINT64_MAX: no limit. */
struct capacity_limits {
    uint64_t descriptors;    /* open descriptors of a process: hard limit RLIMIT_NOFILE */
    uint64_t user_processes; /* processes of the user: hard limit RLIMIT_NPROC; no limit for root */
    uint64_t unit_processes; /* processes of the control group: pids.max */
    uint64_t process_ids;    /* kernel.pid_max */
};

/* Reads the limits of this process. A limit that cannot be read counts as no limit. */
struct capacity_limits capacity_read_limits(void);

/* Takes one sentence, such as "1000 sessions need 4448 open files …". */
typedef void capacity_report(void *context, const char *sentence);

/* Reports each limit that is too low for this number of sessions, and the value that is needed. */
void capacity_report_shortages(const struct capacity_limits *limits, uint32_t sessions,
                               capacity_report *report, void *context);
