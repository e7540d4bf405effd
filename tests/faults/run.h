#pragma once

#include "games/card.h"
#include "tests/faults/data_check.h"
#include "tests/faults/sim.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A run of the simulation with troubles at random moments. Checks after every step what must hold
 * then, and compares the data with the players' records after every failure; `findings` has what
 * was wrong.
 */

/* What a run lets happen to the house. */
enum trouble {
    TROUBLE_POWER,
    TROUBLE_KILL_AT_CHANGE,
    TROUBLE_KILL_AT_OUTPUT,
    TROUBLE_ERROR,
    TROUBLE_NO_ROOM_ONCE,
    TROUBLE_FULL,
    TROUBLE_KILL_LOOKED_AT,
    TROUBLE_FAIL_OVER, /* only in late simulations (late.h) */
    TROUBLE_COUNT,
};

struct run {
    uint64_t seed;
    bool is_late;
    struct quick_random random;
    struct sim *sim;
    struct findings findings;
    uint64_t troubles[TROUBLE_COUNT];
};

#define RUN_GAP_STEPS 700 /* most steps between two troubles */

/* Starts a run; sim_free(run.sim) ends it. */
struct run run_begin(const struct sim_options *options);

void run_sim_steps(struct run *run, uint32_t count);

/* Runs steps until the core has died once more. */
void run_until_core_dies(struct run *run);

void run_cause_trouble(struct run *run, enum trouble trouble);

/* Makes a whole run with this seed; *disk_hash is the hash of its disk at the end. */
struct run run_with_seed(uint64_t seed, bool is_late, uint64_t *disk_hash);

/* Makes a whole run, and the same again. Fails the test if anything was wrong, or if the two runs
 * differ in a message or in a byte of the disk. */
struct run run_with_seed_twice(uint64_t seed, bool is_late);
