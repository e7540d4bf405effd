#ifndef TESTS_FAULTS_SIM_H
#define TESTS_FAULTS_SIM_H

#include "tests/faults/disk.h"
#include "tests/faults/ledger.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A house with its storage, a core's loop around it, workers, a network and players, all in one
 * thread and on a clock of its own: a run is a function of its options. Players speak through the
 * sessions' own client and note in the ledger what they are told.
 */
struct sim;

#define SIM_PLAYERS_MAX 16

struct sim_options {
    uint64_t seed;
    unsigned players;
    bool tells_first;        /* a control: outputs leave before the commit */
    bool ignores_syncs;      /* a control: the disk does not sync */
    bool is_fault_free;      /* nobody loses the connection or is slow */
    const char *spoils_look; /* a control: SQL done to the data while people look away, or NULL */
    bool has_staff;          /* people carry out verbs, and some of them are staff */
    struct disk_fault first_fault; /* of the disk, counted from its very first use */
};

/* The house is open, nobody has come yet. Never NULL. */
struct sim *sim_new(const struct sim_options *options);
void sim_free(struct sim *sim);

/* Time goes on to the next event, which happens. What a dead core has to do with comes later, by
 * itself; a cut of the power waits for sim_power_on. */
void sim_step(struct sim *sim);

/* The core dies at the nth change of the disk from now on (from 1), what it wrote before stays. */
void sim_kill_core_at_change(struct sim *sim, uint64_t nth);

/* The core dies between two of its steps: after it has told the nth message from now on. */
void sim_kill_core_at_output(struct sim *sim, uint64_t nth);

/* The core dies after the commit of what a player has asked for by a request of this type, answered
 * `ok`, and before it tells anybody of it. The type is borrowed. */
void sim_kill_core_before_ok(struct sim *sim, const char *type);

/* The core dies now, between two turns, and the next begins at once. Everybody looks at all they
 * may see right before and right after; what differs is said on stderr after `title`, and counted.
 */
void sim_kill_core_looked_at(struct sim *sim, const char *title);

/* After a power cut: the machine comes up with what the disk kept, and all connections are gone. */
void sim_power_on(struct sim *sim, enum disk_loss loss);

struct disk *sim_disk(struct sim *sim);
struct ledger *sim_ledger(struct sim *sim);
struct house *sim_house(struct sim *sim); /* NULL while the core is dead */
int64_t sim_now_ms(const struct sim *sim);

/* True once, after a core has begun on data that another has left. */
bool sim_take_restarted(struct sim *sim);

/* The disk as it was when the last commit that failed had begun: NULL when there is none. */
const struct disk *sim_before_commit(const struct sim *sim);

struct sim_counts {
    uint64_t steps, commits, outputs;
    uint64_t deaths;    /* of the core, by a failed commit or a kill */
    uint64_t unopened;  /* starts that failed */
    uint64_t ended;     /* connections the core has ended, or whose player was told nonsense */
    uint64_t sent_out;  /* connections that staff have ended */
    uint64_t sent_back; /* of those who came while the disk was full, to sign in again */
    uint64_t lost;      /* times a slow reader fell behind */
    uint64_t refused_read_only;
    uint64_t told_early; /* while something was not committed */
    uint64_t moves;      /* answered `ok` */
    uint64_t orders;     /* answered `ok` */
    uint64_t closed;     /* times the house has closed as announced */
    uint64_t broken;     /* times a core has found its audit log other than it was written */
    uint64_t untold;     /* answers that a core took along (sim_kill_core_before_ok), */
    uint64_t told_after; /* told by a later core, word for word, */
    uint64_t told_otherwise;
    uint64_t looks;          /* of people, before and after a restart (sim_kill_core_looked_at) */
    uint64_t seen_otherwise; /* of these, those who saw something else after it */
    uint64_t output_hash;    /* of all that was told: to whom, when, what */
};
struct sim_counts sim_counts(const struct sim *sim);

#endif
