#include "tests/bench/load/echo.h"

#include "tests/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET_MS 20      /* after a key is deleted, so that the next echo is not mistaken */
#define DELETION_MS 2000 /* longest wait until the key is deleted */
#define FIRST_QUIET_MS 300
#define MISSED_MAX 5

/* Types keys that are not measured, and waits until their effect is on the screen. */
static bool type_and_wait(struct wire *wire, const char *keys, int quiet_ms)
{
    return keys[0] == '\0' ||
           (wire_type(wire, keys) && wire_wait_for_effect(wire, quiet_ms, DELETION_MS));
}

static bool measure_key(struct echo *echo, struct wire *wire)
{
    const struct options *options = echo->options;
    int64_t begin_us = times_now_us();
    if (!wire_type(wire, options->echo_key)) {
        return false;
    }
    if (wire_wait_for(wire, options->echo_key, (int64_t)options->timeout_s * 1000)) {
        echo->times_ms[echo->count++] = (double)(times_now_us() - begin_us) / 1000.0;
    } else if (++echo->missed > MISSED_MAX) {
        return false;
    }
    if (options->after_echo[0] != '\0') {
        return type_and_wait(wire, options->after_echo, QUIET_MS);
    }
    return wire_wait_until_silent(wire, QUIET_MS, DELETION_MS);
}

static void *run(void *context)
{
    struct echo *echo = context;
    struct wire wire;
    ssh_key key = NULL;
    if (echo->options->key_file != NULL) {
        (void)ssh_pki_import_privkey_file(echo->options->key_file, NULL, NULL, NULL, &key);
    }
    int last_port = echo->options->port_count - 1;
    bool is_good = wire_connect(&wire, echo->options, last_port, key) >= 0 &&
                   type_and_wait(&wire, echo->options->then, FIRST_QUIET_MS) &&
                   type_and_wait(&wire, echo->options->before_echo, FIRST_QUIET_MS);
    while (is_good && echo->count + echo->missed < echo->options->echoes &&
           !atomic_load(&echo->is_cancelled)) {
        is_good = measure_key(echo, &wire);
    }
    echo->has_failed = !is_good;
    snprintf(echo->why, sizeof(echo->why), "%s", wire.why);
    wire_close(&wire);
    ssh_key_free(key);
    (void)times_sort(echo->times_ms, (size_t)echo->count);
    atomic_store(&echo->is_over, true);
    return NULL;
}

bool echo_start(struct echo *echo, const struct options *options)
{
    *echo = (struct echo){.options = options};
    echo->times_ms = calloc((size_t)options->echoes + 1, sizeof(*echo->times_ms));
    if (echo->times_ms == NULL || pthread_create(&echo->thread, NULL, run, echo) != 0) {
        fprintf(stderr, "load: cannot start to measure the echo\n");
        echo_clear(echo);
        return false;
    }
    return true;
}

bool echo_is_over(void *context)
{
    struct echo *echo = context;
    return atomic_load(&echo->is_over);
}

bool echo_finish(struct echo *echo)
{
    atomic_store(&echo->is_cancelled, true);
    pthread_join(echo->thread, NULL);
    if (echo->has_failed) {
        fprintf(stderr, "load: the echo could not be measured: %s\n", echo->why);
    }
    if (echo->missed > 0) {
        fprintf(stderr, "load: %d keys were not shown within %d s\n", echo->missed,
                echo->options->timeout_s);
    }
    return !echo->has_failed && echo->missed == 0;
}

void echo_clear(struct echo *echo)
{
    free(echo->times_ms);
    echo->times_ms = NULL;
}
