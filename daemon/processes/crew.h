#pragma once

#include "daemon/processes/common/ports.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/supervisor.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct data_dir;

/* The processes of one house, as the supervisor manages them. */

#define CREW_MAX (2 + CORE_WORKERS_MAX) /* core, gate, workers */

struct crew_member {
    const char *name;
    int (*run)(const void *context);
    int core_end; /* its socket pair with the core; -1 for the core itself */
    int own_end;
    pid_t pid;          /* 0 while it does not run */
    pid_t group;        /* process group of its first run; contains the gate's sessions too */
    int64_t started_ms; /* monotonic, as all times here */
    int64_t due_ms;     /* when to start it, while it does not run */
    unsigned quick_deaths;
    int ready; /* receives a byte when the process is ready; -1 afterwards, and for those that send
                  none */
    bool is_ready;
    bool is_resumed; /* kept running across an exec of the supervisor */
    bool is_leaving; /* has been told to leave, so that its successor can start */
};

struct crew_paths {
    const char *database;
    const char *host_key;
    const char *backups; /* path of the folder */
};

struct crew {
    const struct supervisor_setup *setup;
    const struct data_dir *dir; /* borrowed, as are the paths */
    struct crew_paths paths;
    int control;                         /* listening socket for operators */
    int settings;                        /* settings for the gate's reloads (gate_settings.h) */
    uint8_t answers_key[CORE_KEY_BYTES]; /* passed from one core to the next, kept in memory only */
    bool is_replacing;                   /* the core is being replaced; the others follow */
    struct ports ports; /* the configured ports; a port 0 becomes the one that the gate took */
    unsigned count;
    struct crew_member members[CREW_MAX]; /* core, gate, workers */
};

/* Makes the sockets; starts no process yet. Returns false with errno. Call crew_close in either
 * case. */
bool crew_open(struct crew *crew, const struct supervisor_setup *setup, const struct data_dir *dir,
               const struct crew_paths *paths) MUST_CHECK;
void crew_close(struct crew *crew);

/* The same for a supervisor that has executed its program, or a newer one, again: all processes go
 * on. crew_replace then replaces the core by one of this program and, once that is ready, the
 * workers; the gate executes the new program itself. No connection ends. `image` is borrowed. */
bool crew_resume(struct crew *crew, const struct supervisor_setup *setup,
                 const struct data_dir *dir, const struct crew_paths *paths,
                 json_t *image) MUST_CHECK;
void crew_replace(struct crew *crew);

/* Starts every process that is due. */
void crew_start_due(struct crew *crew);

/* Returns how long until crew_start_due has work, for poll; -1: nothing is due. */
int crew_wait_ms(const struct crew *crew);

/* Handles all deaths of processes, and decides when each starts again: at once; with growing pauses
 * if it repeatedly dies within a second; or, if the disk is full, whenever there is room, while
 * people stay connected. Returns false, with a line on the log, if there is no point in going on: a
 * process died too often, or core or gate ended before they were ever ready. */
bool crew_reap(struct crew *crew) MUST_CHECK;

/* Reads which processes have become ready. */
void crew_read_ready(struct crew *crew);

/* True once both core and gate have been ready. */
bool crew_is_ready(const struct crew *crew);

/* Ends all processes in order; returns when none is left. SIGCHLD must be blocked. */
void crew_stop(struct crew *crew);
