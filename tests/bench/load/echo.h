#pragma once

#include "tests/bench/load/options.h"
#include "tests/bench/load/wire.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Measures how long a key takes to be shown, with a connection to the last port and a thread of its
 * own, while the crowd goes on. */
struct echo {
    const struct options *options;
    pthread_t thread;
    atomic_bool is_over, is_cancelled;
    double *times_ms;  /* sorted when over; echo_finish frees them */
    int count, missed; /* keys shown in time, and keys that were not */
    bool has_failed;
    char why[WIRE_WHY_MAX];
};

/* Starts the measurement of options->echoes keys. Returns false with a message if it cannot; do not
 * call echo_finish then. */
bool echo_start(struct echo *echo, const struct options *options);

/* Whether all keys have been measured, or the measurement has failed. */
bool echo_is_over(void *echo);

/* Waits until the thread ends, which is soon: a measurement under way ends after the present key.
 * The times stay until echo_clear. Prints why the measurement failed. Returns false if it failed.
 */
bool echo_finish(struct echo *echo);
void echo_clear(struct echo *echo);
