#pragma once

#include "tests/bench/load/crowd.h"
#include "tests/bench/load/report.h"
#include "tests/bench/load/server.h"

/* A run of the bench. */
struct run {
    const struct options *options;
    struct crowd crowd;
    struct report report;
    struct server server;          /* pid 0: unknown */
    struct server_memory at_start; /* before the first connection */
    int people;                    /* members 0 to people - 1 are to stay */
    double idle_ms_per_s;          /* the server's CPU while nothing happens */
    bool has_failed;               /* besides people who failed or were lost */
};

/* Waits until the server is quiet. */
void phases_settle(struct run *run);

/* Reads the server's memory before the first connection, once the server is quiet: after its start
 * it still makes processes. Returns false, with a message on standard error, if the memory cannot
 * be read. */
bool phases_read_start(struct run *run);

/* Lets people come in until there are `count`, and reports how long that took and what it cost. */
void phases_fill(struct run *run, int count);

/* Reports the server's memory; `before` is that at the previous step. */
void phases_measure_memory(struct run *run, struct server_memory *before, int added);

/* Reports the server's CPU while nothing happens. */
void phases_measure_idle(struct run *run);

/* Lets some more people come in, reports what that cost, and lets them leave. */
void phases_measure_extra(struct run *run);

/* Reports the time from key to echo while people come and leave again. */
void phases_measure_echo(struct run *run);
