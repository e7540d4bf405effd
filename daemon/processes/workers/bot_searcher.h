#pragma once

#include "daemon/processes/workers/bot_queue.h"

#include <stdbool.h>

/*
 * Chooses the moves of searching bots without delaying the house: the searches run in a thread that
 * gets processor time only when no other process wants it (SCHED_IDLE), so that a search never
 * delays the echo of a key. On a busy machine that thread may get no time for seconds. Then
 * the caller searches too, with the priority of its process.
 */

/* How long to wait for a search in the thread before the caller searches: a search takes 5 to 70 ms
 * on a core that is free. */
#define BOT_SEARCHER_WAIT_MS 200

struct bot_searcher;

struct bot_choice {
    uint8_t move;
    bool has_searched; /* false if the policy chose the move without a search */
    int64_t took_us;   /* how long choosing the move took, without waiting for the thread */
};

/* Starts the thread, which ends with the process: a searcher is never freed. If no thread can be
 * started, logs this, and the caller makes all searches. `wait_ms`: BOT_SEARCHER_WAIT_MS, or 0 in
 * tests. */
struct bot_searcher *bot_searcher_start(uint64_t seed, int wait_ms);

/* Returns a legal move for the task, from a search of so many play-outs if its policy searches
 * (see policy_choose_move). */
struct bot_choice bot_searcher_choose_move(struct bot_searcher *searcher,
                                           const struct bot_task *task, uint32_t playouts);
