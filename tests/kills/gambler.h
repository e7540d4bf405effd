#ifndef TESTS_KILLS_GAMBLER_H
#define TESTS_KILLS_GAMBLER_H

#include "tests/faults/ledger.h"
#include "tests/kills/link.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Somebody who plays as fast as they can at the table of their company and writes down whatever
 * they are told. A company is a host and the others, who look for the host's table; its last seat
 * is a bot's.
 */
struct company {
    const char *host; /* whose table it is */
    unsigned people;
};

/* How long moves took to be answered `ok`; those that find no room are not written down. */
struct gambler_waits {
    int64_t *us;
    size_t count, capacity;
};

struct gambler_counts {
    uint64_t moves;       /* answered `ok` */
    uint64_t connections; /* made anew */
    uint64_t resyncs;
    int64_t since_ms; /* of the moves asked for from here on, by the clock of gambler_turn, */
    int64_t first_ms; /* when the first was answered; 0: not yet */
    struct gambler_waits *waits; /* borrowed; NULL: nobody wants to know */
};

struct gambler;

/* The where, the company, the ledger and the counts are borrowed. */
struct gambler *gambler_new(const struct link_where *where, const struct company *company,
                            struct ledger *ledger, struct gambler_counts *counts);
void gambler_free(struct gambler *gambler);

/* What poll(2) is to wait for: readable, and writable when something is unsent; -1: nothing. */
int gambler_input(const struct gambler *gambler);
int gambler_output(const struct gambler *gambler);

/* Takes what has come, does what can be done. Call whenever one of them is ready, and every now
 * and then. */
void gambler_turn(struct gambler *gambler, int64_t now_ms);

/* How long they think before each move; 0 at first. */
void gambler_set_pace(struct gambler *gambler, int pace_ms);

/* No more moves from now on. */
void gambler_rest(struct gambler *gambler);

/* True while an answer is awaited. */
bool gambler_waits(const struct gambler *gambler);

#endif
