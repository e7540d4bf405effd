#pragma once

#include "daemon/processes/common/ports.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/supervisor.h"

#include <jansson.h>
#include <sys/types.h>

struct data_dir;

/* The processes of one house, which the supervisor starts, restarts and ends. */

#define PROCESSES_MAX (2 + CORE_WORKERS_MAX) /* core, gate and workers */

struct process {
    const char *name;
    int (*run)(const void *context);
    int core_end; /* ends of its socket pair with the core; -1 for the core itself */
    int own_end;
    pid_t pid;          /* process id; 0 while it does not run */
    pid_t group;        /* process group; sessions belong to the group of the gate */
    int64_t started_ms; /* time of the last start; monotonic, as all times here */
    int64_t due_ms;     /* time of the next start, while it does not run */
    unsigned quick_deaths;
    int ready; /* pipe on which the process reports that it is ready; -1 afterwards, or if it
                  reports nothing */
    bool is_ready;
    bool is_resumed; /* the process kept running when the supervisor executed its program again */
    bool is_leaving; /* the process was told to end, so that its successor can start */
};

struct processes {
    const struct supervisor_setup *setup;
    const struct data_dir *dir; /* borrowed */
    int control;                /* listening socket for operators; -1: none */
    int settings; /* file with the settings for the gate's reloads (gate_settings.h); -1: none */
    uint8_t answers_key[CORE_KEY_BYTES]; /* key that every core of this house gets; kept in memory
                                            only */
    bool is_replacing;  /* the core is being replaced; the other processes follow */
    struct ports ports; /* the configured ports; a port 0 becomes the one that the gate took */
    unsigned count;
    struct process list[PROCESSES_MAX]; /* core, gate and workers, in this order */
};

/* Makes the sockets, and starts no process yet. Returns false with errno. Call processes_close in
 * either case. */
bool processes_open(struct processes *processes, const struct supervisor_setup *setup,
                    const struct data_dir *dir) MUST_CHECK;
void processes_close(struct processes *processes);

/* Restores the processes from the image after the supervisor has executed its program, or a newer
 * one: all processes keep running. processes_replace then replaces the core by a core that runs the
 * supervisor's program and, once the new core is ready, the workers; the gate executes the new
 * program itself. No connection ends. The image is borrowed. */
bool processes_resume(struct processes *processes, const struct supervisor_setup *setup,
                      const struct data_dir *dir, json_t *image) MUST_CHECK;
void processes_replace(struct processes *processes);

/* Starts every process that is due. */
void processes_start_all_due(struct processes *processes);

/* Returns the milliseconds until processes_start_all_due has work; -1: none. */
int processes_next_start_in_ms(const struct processes *processes);

/* Handles the deaths of processes, and decides when each starts again: at once; with growing pauses
 * if it repeatedly dies within a second; or, if the disk is full, once there is room. Returns
 * false, with a line on the log, if restarting is pointless: a process died too often, or core or
 * gate ended before they were ever ready. */
bool processes_reap(struct processes *processes) MUST_CHECK;

/* Reads from the pipes which processes have become ready. */
void processes_read_readiness(struct processes *processes);

/* True once both core and gate have become ready. */
bool processes_are_ready(const struct processes *processes);

/* Ends all processes in order; returns when none is left. SIGCHLD must be blocked. */
void processes_stop(struct processes *processes);
