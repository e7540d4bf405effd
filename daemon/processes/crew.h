#ifndef DAEMON_PROCESSES_CREW_H
#define DAEMON_PROCESSES_CREW_H

#include "daemon/processes/common/ports.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/supervisor.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct data_dir;

/* The processes of one house, seen by the supervisor. */

#define CREW_MAX (2 + CORE_WORKERS_MAX) /* core, gate, workers */

struct crew_member {
    const char *name;
    int (*run)(const void *context);
    int core_end; /* its socket pair with the core; -1 for the core itself */
    int own_end;
    pid_t pid;          /* 0 when it does not run */
    pid_t group;        /* of the first that ran; the gate's sessions are in it too */
    int64_t started_ms; /* steady, as all times here */
    int64_t due_ms;     /* when it is to be started, while it does not run */
    unsigned quick_deaths;
    int ready; /* where its byte comes when it is ready; -1 once it came or for those that send none
                */
    bool is_ready;
    bool is_resumed; /* goes on from before an exec of the supervisor */
    bool is_leaving; /* has been told to make way for its successor */
};

struct crew_paths {
    const char *database;
    const char *host_key;
    const char *backups; /* the folder */
};

struct crew {
    const struct supervisor_setup *setup;
    const struct data_dir *dir; /* borrowed, as the paths */
    struct crew_paths paths;
    int control;                         /* where operators come in */
    int settings;                        /* for the gate's reloads (gate_settings.h) */
    uint8_t answers_key[CORE_KEY_BYTES]; /* for one core after the other, in memory alone */
    bool is_replacing;                   /* the core is being replaced, and the others are next */
    struct ports ports; /* the setup's; where that left them open, those the gate took */
    unsigned count;
    struct crew_member members[CREW_MAX]; /* core, gate, workers */
};

/* Makes the sockets; nobody runs yet. False with errno. crew_close in either case. */
bool crew_open(struct crew *crew, const struct supervisor_setup *setup, const struct data_dir *dir,
               const struct crew_paths *paths) MUST_CHECK;
void crew_close(struct crew *crew);

/* The same for a supervisor that has run its program, or a newer one, again: everyone goes on. Then
 * crew_replace makes the core leave for one of this program, and once that is ready the workers,
 * and has the gate run this program too; no connection ends. `image` is borrowed. */
bool crew_resume(struct crew *crew, const struct supervisor_setup *setup,
                 const struct data_dir *dir, const struct crew_paths *paths,
                 json_t *image) MUST_CHECK;
void crew_replace(struct crew *crew);

/* Starts everyone who is due. */
void crew_start_due(struct crew *crew);

/* How long until crew_start_due is wanted again, for poll; -1: nobody waits. */
int crew_wait_ms(const struct crew *crew);

/* Takes note of everyone who has died, and decides when each begins again: at once, with growing
 * pauses when it dies again and again within a second, and as long as it takes when the disk is
 * full: people stay connected meanwhile. False, said on the log, when it is no use: it died too
 * often, or core or gate gave up before they were ever ready. */
bool crew_reap(struct crew *crew) MUST_CHECK;

/* Reads who has become ready. */
void crew_read_ready(struct crew *crew);

/* True once core and gate have been ready. */
bool crew_is_ready(const struct crew *crew);

/* Ends everyone in order; returns when no process is left. SIGCHLD must be blocked. */
void crew_stop(struct crew *crew);

#endif
