#pragma once

#include <libssh/libssh.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_WHY_MAX 160

struct options;

/* One connection to the server with a terminal of 80×24. Only one thread at a time may use it. */
struct wire {
    ssh_session session; /* NULL: not connected */
    ssh_channel channel;
    char why[WIRE_WHY_MAX]; /* what failed last */
};

/* Connects, signs in, requests a terminal and a shell, and waits until the marker has arrived.
 * `turn`, 0 or more, draws the port: the options' ports are used in turn. `key` is the key to sign
 * in with, or NULL. Returns the time in microseconds from the first call until the marker, or -1
 * with the reason in `why`; then the wire is closed. */
int64_t wire_connect(struct wire *wire, const struct options *options, int turn, ssh_key key);

/* Ends the connection, if there is one. */
void wire_close(struct wire *wire);

/* Types keys. Returns false with the reason in `why` if they could not be sent. */
bool wire_type(struct wire *wire, const char *keys);

/* Reads what has arrived, without waiting. Returns the number of bytes, 0 if nothing has arrived,
 * or -1 with the reason in `why` if the connection has ended. */
int wire_read(struct wire *wire, char *bytes, size_t cap);

/* Waits until these words arrive, at most for `wait_ms`. Returns false with the reason in `why`. */
bool wire_wait_for(struct wire *wire, const char *words, int64_t wait_ms);

/* Discards output until some has arrived and then none for `quiet_ms`, at most for `most_ms`.
 * Returns false if the connection has ended. */
bool wire_wait_for_effect(struct wire *wire, int quiet_ms, int most_ms);

/* The same, but does not wait for output to arrive. */
bool wire_wait_until_silent(struct wire *wire, int quiet_ms, int most_ms);

int wire_fd(const struct wire *wire);
