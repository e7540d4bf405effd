#pragma once

#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/ports.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/node_key.h"
#include "daemon/processes/supervisor.h"

#include <jansson.h>
#include <sys/types.h>

struct data_dir;

/* The processes of one house, which the supervisor starts, restarts and ends. */

#define PROCESSES_MAX (3 + CORE_WORKERS_MAX) /* core, gate, workers and bridge */

/* Indices in the list of processes. */
enum {
    PROCESS_CORE,
    PROCESS_GATE,
    PROCESS_WORKERS, /* of the first worker; after the workers comes the bridge, if any */
};

struct process {
    const char *name;
    int (*run)(const void *context);
    int core_end; /* the core's end and the process's end of their socket pair; -1 for
                     the core itself */
    int own_end;
    pid_t pid;          /* process id; 0 while it does not run */
    pid_t group;        /* process group; sessions belong to the group of the gate */
    int64_t started_ms; /* time of the last start; all times in this struct are monotonic */
    int64_t due_ms;     /* time of the next start, for a process that does not run */
    unsigned quick_deaths;
    int ready; /* pipe on which the process reports that it is ready, and the core later that it
                  does not hang; -1 for processes that have nothing more to report */
    bool is_ready;
    bool is_resumed;   /* the process kept running when the supervisor executed its program again */
    bool is_leaving;   /* the process was told to end, so that its successor can start */
    bool has_reported; /* this process has reported since it was started */
    bool is_loading;   /* only for the core: it has reported that it loads its data */
    bool is_waiting;   /* only for the core: it has reported that it waits for its data */
    int64_t silent_ms; /* time since it last gave a sign of life, or was told to end */
    int64_t seen_ms;   /* when it last gave a sign of life on the page of metrics (life.h) */
};

struct processes {
    const struct supervisor_setup *setup;
    const struct data_dir *dir; /* borrowed */
    struct metrics metrics;     /* the supervisor's; the page is borrowed */
    int control;                /* listening socket for operators; -1: none */
    struct listeners listeners; /* those that systemd has opened; each gate gets them */
    int settings; /* file with the settings for the gate's reloads (gate_settings.h); -1: none */
    uint8_t answers_key[CORE_KEY_BYTES]; /* key with which each core of this house encrypts stored
                                            answers; kept in memory only */
    struct node_key node_key;            /* processes_node.h */
    int bridge_listener;                 /* socket at which the bridge listens; -1: none */
    uint64_t last_work; /* what the core worked on at its last death (life.h); 0: nothing */
    uint64_t fatal[CORE_FATAL_MAX]; /* core_setup.fatal; the oldest is overwritten */
    unsigned fatal_count;
    bool is_replacing;  /* the core is being replaced; the other processes follow */
    struct ports ports; /* the configured ports (0: a free one); once the gate is ready, the ports
                           on which it listens */
    unsigned count;
    struct process list[PROCESSES_MAX]; /* core, gate, workers and bridge, in this order */
};

/* Lists the processes and makes their sockets, but starts no process. Returns false with errno.
 * Call processes_close_descriptors even after a failure. The page of metrics is borrowed; NULL:
 * nothing is counted. */
bool processes_prepare(struct processes *processes, const struct supervisor_setup *setup,
                       const struct data_dir *dir, struct metrics_page *page) MUST_CHECK;
void processes_close_descriptors(struct processes *processes);

/* Restores the processes from the image after the supervisor has executed its program again,
 * perhaps a newer version. All processes keep running. processes_begin_replacement then replaces
 * the core by one that runs the supervisor's program. Once the new core is ready, the workers are
 * replaced, and the gate executes the new program itself. No connection ends. The image is
 * borrowed. */
bool processes_resume(struct processes *processes, const struct supervisor_setup *setup,
                      const struct data_dir *dir, struct metrics_page *page,
                      json_t *image) MUST_CHECK;
void processes_begin_replacement(struct processes *processes);

/* Starts every process whose time to start has come. */
void processes_start_all_due(struct processes *processes);

/* Returns the time until the supervisor must look at its processes again, in ms: LIFE_EVERY_MS
 * (life.h), or less if a process is to be started before. */
int processes_next_work_in_ms(const struct processes *processes);

/* Handles processes that have died, and decides when each starts again: usually at once; after
 * growing pauses if it repeatedly dies within a second. Returns false, with a line on the log, if
 * restarting is pointless: a process was killed by signals too often, or the core or gate of a
 * house that was never open ended. */
bool processes_reap(struct processes *processes) MUST_CHECK;

/* Finds out which processes have become ready, by reading the pipes on which they report it. */
void processes_read_readiness(struct processes *processes);

/* Ends processes that hang with SIGKILL: the core if it has reported nothing for
 * core_life_silence_limit_ms, or does not make room for its successor in that time, and a bridge
 * that gives no signs of life. `waited_ms` is the time since the last call; call
 * processes_read_readiness first. */
void processes_end_hanging(struct processes *processes, int64_t waited_ms);

/* Returns the process with this id; NULL if there is none. */
struct process *processes_find_by_pid(struct processes *processes, pid_t pid);

/* True once people can enter: both core and gate have become ready, and the core does not wait. */
bool processes_are_ready(const struct processes *processes);

/* True once both core and gate have become ready, also if the core waits for its data. */
bool processes_can_be_replaced(const struct processes *processes);

/* Ends all processes, one after the other; returns when none is left. SIGCHLD must be blocked. */
void processes_stop(struct processes *processes);
