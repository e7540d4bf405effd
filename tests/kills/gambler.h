#pragma once

#include "tests/faults/ledger.h"
#include "tests/kills/link.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A player who plays as fast as possible at the table of their group and records everything they
 * are told. A group is a host and others, who look for the host's table. The last seat of the table
 * is a bot's.
 */
struct company {
    const char *host; /* the name of the host */
    unsigned people;
};

/* How long moves took until they were answered with `ok`. When the array is full, further times are
 * dropped. */
struct gambler_waits {
    int64_t *us;
    size_t count, capacity;
};

struct gambler_counts {
    uint64_t moves;       /* moves answered with `ok` */
    uint64_t connections; /* connections made again */
    uint64_t resyncs;
    int64_t since_ms; /* looks at the moves requested from then on, by the clock of gambler_turn */
    int64_t first_ms; /* when the first of these was answered; 0: not yet */
    struct gambler_waits *waits; /* borrowed; NULL: times are not wanted */
};

struct gambler;

/* Borrows the where, the company, the ledger and the counts. */
struct gambler *gambler_new(const struct link_where *where, const struct company *company,
                            struct ledger *ledger, struct gambler_counts *counts);
void gambler_free(struct gambler *gambler);

/* The file descriptors for poll(2): wait until the first is readable, and until the second is
 * writable when something is unsent; -1: nothing to wait for. */
int gambler_input(const struct gambler *gambler);
int gambler_output(const struct gambler *gambler);

/* Reads what has arrived and does what is possible. Call it whenever one of the descriptors is
 * ready, and regularly. */
void gambler_turn(struct gambler *gambler, int64_t now_ms);

/* Sets how long they think before each move; 0 at first. */
void gambler_set_pace(struct gambler *gambler, int pace_ms);

/* From now on they make no more moves. */
void gambler_rest(struct gambler *gambler);

/* Whether a request waits for its answer. */
bool gambler_waits(const struct gambler *gambler);
