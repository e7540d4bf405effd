#pragma once

#include "tests/faults/disk.h"
#include "tests/faults/ledger.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A simulation of a house with its storage, the loop of its core, workers, a network and players,
 * in one thread and with its own clock. A run depends only on its options. Players use the client
 * that sessions use, and the ledger records what they are told.
 */
struct sim;

#define SIM_PLAYERS_MAX 16

struct sim_options {
    uint64_t seed;
    unsigned players;
    bool tells_first; /* a fault that the data check must notice: the core sends messages before it
                         commits */
    bool is_late;     /* commits become durable later (late.h) */
    bool tells_at_commit; /* a fault that the data check must notice in a late simulation: the core
                             sends messages before their turn is durable */
    bool ignores_syncs;   /* a fault that the data check must notice: the disk does not sync */
    bool is_fault_free;   /* no player loses the connection or reads slowly */
    const char *spoils_look; /* SQL that changes the data between the two views that
                                sim_kill_core_and_compare_views compares; or NULL */
    bool has_staff;          /* some players are staff, and players give moderation commands */
    struct disk_fault
        first_fault; /* a fault of the disk; its operations are counted from the disk's first use */
};

/* Starts a simulation and opens its house, in which nobody is connected yet. Never returns NULL. */
struct sim *sim_new(const struct sim_options *options);
void sim_free(struct sim *sim);

/* Advances time to the next event and carries the event out. If the core has died, a later step
 * restarts it. After a power cut, call sim_power_on. */
void sim_step(struct sim *sim);

/* Kills the core at the nth change of the disk from now on (1: the next one). Earlier writes are
 * kept. */
void sim_kill_core_at_disk_change(struct sim *sim, uint64_t nth_change);

/* Kills the core after it has sent the nth message from now on. */
void sim_kill_core_after_message(struct sim *sim, uint64_t nth_message);

/* Kills the core after it has committed a request of this type, before it sends the answer `ok` or
 * any other message about it. The text of `type` is borrowed. */
void sim_kill_core_before_answer(struct sim *sim, const char *type);

/* Kills the core now, between two passes of its loop, and starts the next core at once. Records
 * what all players can see just before and just after that. Prints differences to stderr after
 * `title`, and counts them. */
void sim_kill_core_and_compare_views(struct sim *sim, const char *title);

/* Simulates that another database takes over, which may lack the newest turns that are not durable:
 * the core ends, and the next one begins with what the disk kept. All connections stay. */
void sim_fail_over(struct sim *sim, enum disk_loss loss);

/* Starts the machine again after a power cut, with what the disk kept. All connections are lost. */
void sim_power_on(struct sim *sim, enum disk_loss loss);

struct disk *sim_disk(struct sim *sim);
struct ledger *sim_ledger(struct sim *sim);
struct house *sim_house(struct sim *sim); /* Returns the house; NULL while the core is dead. */

/* Returns true at the first call after a restart of the core on existing data, and false
 * otherwise. */
bool sim_core_has_restarted(struct sim *sim);

/* Returns the disk as it was before the commit that failed last; NULL when the last commit
 * succeeded. */
const struct disk *sim_get_disk_before_failed_commit(const struct sim *sim);

struct sim_counts {
    uint64_t steps, commits, outputs;
    uint64_t deaths;   /* deaths of the core, by a failed commit or a kill */
    uint64_t unopened; /* starts of the core that failed */
    uint64_t ended; /* connections that ended for reasons not counted below, or because the player
                       received an invalid message */
    uint64_t sent_out;  /* connections that staff ended */
    uint64_t sent_back; /* connections whose players signed in while the disk was full, and later
                           had to sign in again */
    uint64_t lost;      /* how often a slow reader missed messages */
    uint64_t refused_read_only;
    uint64_t told_early;    /* messages sent while a change was not committed */
    uint64_t moves;         /* moves answered with `ok` */
    uint64_t claims;        /* claims of tricks answered with `ok` */
    uint64_t orders;        /* moderation commands answered with `ok` */
    uint64_t closed;        /* how often the house closed because staff had ordered a shutdown */
    uint64_t broken;        /* how often a core found that the audit log was tampered with */
    uint64_t unsettled_max; /* most turns that were committed and not durable */
    uint64_t pauses;        /* passes in which the core received nothing for that reason */
    uint64_t failovers;
    uint64_t doubtful;                      /* turns that were not durable at a failover */
    uint64_t confirmed, failed, unanswered; /* barriers, see late.h */
    uint64_t untold; /* answers lost because the core was killed (sim_kill_core_before_answer) */
    uint64_t told_after; /* lost answers that a later core sent with exactly the same text */
    uint64_t told_otherwise;
    uint64_t looks; /* how often sim_kill_core_and_compare_views compared what a player sees before
                       and after a restart */
    uint64_t seen_otherwise; /* comparisons that found a difference */
    uint64_t output_hash;    /* hash of all messages, with their receivers and times */
};
struct sim_counts sim_get_counts(const struct sim *sim);
