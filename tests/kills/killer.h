#ifndef TESTS_KILLS_KILLER_H
#define TESTS_KILLS_KILLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Ends processes of a house by SIGKILL, each kind in its own time. */

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

/* Begins at now_ms. */
void killer_init(struct killer *killer, pid_t supervisor, int64_t now_ms);

/* Kills whoever is due at now_ms, and draws when the next of that kind is: around a mean, so that
 * it happens at any moment of what they do. Returns how many were killed. */
unsigned killer_turn(struct killer *killer, int64_t now_ms);

/* Kills one of that kind now; false when there is none. */
bool killer_kill(pid_t supervisor, enum victim victim);

/* All of them. */
uint64_t killer_count(const struct killer *killer);

#endif
