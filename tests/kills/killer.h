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

const char *killer_victim_name(enum victim victim);

/* Draws the time of the first kill of each kind, from now_ms on. */
void killer_init(struct killer *killer, pid_t supervisor, int64_t now_ms);

/* Kills the processes that are due at now_ms, and draws the time of the next kill of each kind that
 * was killed. The time varies around a mean, so that kills happen at any moment of a process's
 * work. Returns how many were killed. */
unsigned killer_kill_due(struct killer *killer, int64_t now_ms);

/* Kills one process of that kind now. Returns false when there is none. */
bool killer_kill_one(pid_t supervisor, enum victim victim);

/* Counts the kills of all kinds. */
uint64_t killer_count_kills(const struct killer *killer);
