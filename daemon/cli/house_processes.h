#pragma once

#include "daemon/metrics/life.h"
#include "daemon/metrics/page.h"
#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The processes of an open house, as its page of metrics and /proc show them: they need not answer,
 * so this also works if they hang.
 */

enum house_process_state {
    HOUSE_PROCESS_STARTS,
    HOUSE_PROCESS_WAITS,
    HOUSE_PROCESS_WORKS,
    HOUSE_PROCESS_WRITES,
    HOUSE_PROCESS_RESTARTS, /* has just ended; the supervisor starts it again */
    /* a process in one of these states does not work: */
    HOUSE_PROCESS_STOPPED, /* by a signal, or by a debugger */
    HOUSE_PROCESS_HANGS,   /* gives no sign of life */
    HOUSE_PROCESS_GONE,
    HOUSE_PROCESS_FAILS, /* was started again after a death, and has given no sign of life since */
};

struct house_process {
    char name[LIFE_NAME_SIZE + 1];
    int64_t pid; /* 0 if it does not run */
    int64_t up_ms;
    uint64_t restarts;
    int64_t silent_ms; /* time since its last sign of life */
    enum house_process_state state;
};

struct house_processes {
    struct house_process list[LIFE_PROCESSES];
    size_t count; /* 0: they are not known */
};

/* Lists the processes on the page as of now_ms (clock_steady_ms). */
struct house_processes house_processes_list(const struct metrics_page *page, int64_t now_ms);

/* True if no process has stopped, hangs or is gone. */
bool house_processes_all_work(const struct house_processes *processes);

/* Returns the word for a state, for programs ("waits"), and the words for people ("waits for
 * work"). */
const char *house_process_state_word(enum house_process_state state);
const char *house_process_state_text(enum house_process_state state);
