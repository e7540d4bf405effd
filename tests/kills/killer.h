#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Kills processes of a house with SIGKILL, each kind at its own intervals. */

enum victim {
    VICTIM_CORE,
    VICTIM_GATE,
    VICTIM_SESSION,
    VICTIM_AUTH,
    VICTIM_BOT,
    VICTIM_COUNT,
};

struct killer {
    pid_t supervisor;
    int64_t next_ms[VICTIM_COUNT];
    uint64_t kills[VICTIM_COUNT];
};

const char *killer_name(enum victim victim);

/* Starts at now_ms. */
void killer_init(struct killer *killer, pid_t supervisor, int64_t now_ms);

/* Kills the processes that are due at now_ms and draws the time of the next kill of that kind. The
 * time varies around a mean, so that kills happen at any moment of a process's work. Returns how
 * many were killed. */
unsigned killer_turn(struct killer *killer, int64_t now_ms);

/* Kills one process of that kind now; false when there is none. */
bool killer_kill(pid_t supervisor, enum victim victim);

/* The number of all kills. */
uint64_t killer_count(const struct killer *killer);
