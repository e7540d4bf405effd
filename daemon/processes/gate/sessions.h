#ifndef DAEMON_PROCESSES_GATE_SESSIONS_H
#define DAEMON_PROCESSES_GATE_SESSIONS_H

#include "daemon/processes/gate/limits.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What the gate remembers of its living sessions: a table of fixed size, in which a session keeps
 * its place (its index) for life.
 */
struct sessions_entry {
    pid_t pid;      /* 0: the place is free */
    bool is_telnet; /* else SSH */
    int64_t conn;
    int64_t opened_ms; /* steady */
    int core_end;      /* the kept duplicate of the core's end of its socket; -1: dropped */
    int signed_in_fd;  /* readable once somebody has signed in; -1: that was so, or it died */
    int log_fd;        /* where its log can be read (gate_log.h); -1: it has none of its own */
    bool is_told;      /* the core has been handed its end */
    int64_t end_by_ms; /* steady: the house has ended it, then its process goes too; 0: it lives */
    struct {
        int64_t lines, since_ms; /* said too lately to be forgotten; as of then */
        int64_t due_ms;          /* it is listened to again then; 0: it is listened to */
        bool is_paced;           /* it has said too much before */
    } log;
    struct {
        int64_t since_ms, before_ms; /* begin of the window, 0: none yet; what it had used then */
        bool is_greedy;              /* it is ended for it */
    } cpu;
    struct limits_source source;
    char address[INET6_ADDRSTRLEN];
};

struct sessions {
    size_t max;
    int count, unauth; /* living; of those not signed in */
    struct sessions_entry *entries;
};

/* The memory is touched only as far as it is used. Dies when there is none. */
void sessions_init(struct sessions *sessions, size_t max);

/* Closes nothing. */
void sessions_clear(struct sessions *sessions);

/* A free place, or NULL. It counts from sessions_add on. */
struct sessions_entry *sessions_free_place(struct sessions *sessions);
void sessions_add(struct sessions *sessions, struct sessions_entry *place,
                  const struct sessions_entry *entry);

/* NULL when there is none. */
struct sessions_entry *sessions_by_pid(struct sessions *sessions, pid_t pid);
struct sessions_entry *sessions_by_conn(struct sessions *sessions, int64_t conn);

/* Marks it as signed in and closes its signed_in_fd; once is enough. */
void sessions_sign_in(struct sessions *sessions, struct sessions_entry *entry);

/* Closes its descriptors and frees its place. */
void sessions_remove(struct sessions *sessions, struct sessions_entry *entry);

/* What limits_judge wants to know of a new connection from `source`. */
struct limits_counts sessions_count(const struct sessions *sessions,
                                    const struct limits_source *source);

#endif
