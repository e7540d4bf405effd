#pragma once

#include "tests/faults/ledger.h"
#include "tests/kills/link.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A player who plays as fast as possible at the table of their group, and whose ledger records
 * everything they are told. A group is a host and others, who look for the host's table. A bot has
 * the last seat of the table.
 */
struct company {
    const char *host; /* name of the host */
    unsigned people;
};

/* Times from a move to its answer `ok`. When the array is full, further times are dropped. */
struct gambler_waits {
    int64_t *us;
    size_t count, capacity;
};

struct gambler_counts {
    uint64_t moves;       /* moves answered with `ok` */
    uint64_t connections; /* connections made after the first */
    uint64_t resyncs;
    int64_t since_ms;            /* moves requested after this time are watched; by the clock of
                                    gambler_run_pass */
    int64_t first_ms;            /* when the first watched move was answered; 0: not yet */
    struct gambler_waits *waits; /* borrowed; NULL: the times of moves are not recorded */
};

struct gambler;

/* Creates a gambler. The login, the company, the ledger and the counts are borrowed. */
struct gambler *gambler_new(const struct link_login *login, const struct company *company,
                            struct ledger *ledger, struct gambler_counts *counts);
void gambler_free(struct gambler *gambler);

/* These functions return the descriptors for poll(2): wait until the input is readable, and until
 * the output is writable when something is unsent; -1: nothing to wait for. */
int gambler_input_fd(const struct gambler *gambler);
int gambler_output_fd(const struct gambler *gambler);

/* Reads what has arrived and does what is possible. The caller calls it whenever one of the
 * descriptors is ready, and regularly. */
void gambler_run_pass(struct gambler *gambler, int64_t now_ms);

/* Sets how long the gambler thinks before each move; 0 at first. */
void gambler_set_pace(struct gambler *gambler, int pace_ms);

/* From now on, the gambler makes no more moves. */
void gambler_stop_moving(struct gambler *gambler);

/* Whether a request waits for its answer. */
bool gambler_is_waiting(const struct gambler *gambler);
