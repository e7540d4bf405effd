#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Kills processes of a house with SIGKILL. Each kind of process is killed at its own intervals. */

enum victim {
    VICTIM_CORE,
    VICTIM_GATE,
    VICTIM_SESSION,
    VICTIM_AUTH,
    VICTIM_BOT,
    VICTIM_BRIDGE, /* only a house of several nodes has one */
    VICTIM_COUNT,
};

struct killer {
    pid_t supervisor;
    int64_t next_ms[VICTIM_COUNT];
    uint64_t kills[VICTIM_COUNT];
};

const char *killer_victim_name(enum victim victim);

/* Initialises the killer. Draws for each kind of process when the first one is killed, counted from
 * now_ms. */
void killer_init(struct killer *killer, pid_t supervisor, int64_t now_ms);

/* Kills one process of each kind whose time has come, and draws the time of that kind's next kill.
 * The intervals are random, so that kills happen at any moment of a process's work. Returns how
 * many processes were killed. */
unsigned killer_kill_due_processes(struct killer *killer, int64_t now_ms);

/* Kills one random process of this kind now. Returns false when there is none. */
bool killer_kill_random_process(pid_t supervisor, enum victim victim);

/* Sends a signal to the supervisor and all its descendants. None of them can start another process
 * meanwhile: they are all stopped with SIGSTOP first. */
void killer_signal_whole_house(pid_t supervisor, int signal_number);

/* Returns the number of all kills so far. */
uint64_t killer_count_kills(const struct killer *killer);
