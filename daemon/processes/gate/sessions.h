#pragma once

#include "daemon/processes/gate/limits.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The gate's living sessions: a table of fixed size, in which a session keeps its place (its index)
 * for life.
 */
struct sessions_entry {
    pid_t pid;      /* 0: the place is free */
    bool is_telnet; /* false: SSH */
    int64_t conn;
    int64_t opened_ms; /* monotonic */
    int core_end;      /* a kept duplicate of the core's end of its socket; -1: closed */
    int signed_in_fd; /* readable once somebody has signed in; -1: somebody has, or the session died
                       */
    int log_fd;       /* where its log can be read (gate_log.h); -1: it has no log of its own */
    bool is_told;     /* the core has received its end of the socket */
    int64_t end_by_ms; /* when its process is killed, since the house has ended it, monotonic; 0: it
                          has not */
    struct {
        int64_t lines, since_ms; /* lines that count towards the pace, as of since_ms */
        int64_t due_ms;          /* when its log is read again; 0: it is being read */
        bool is_paced;           /* it has logged too much before */
    } log;
    struct {
        int64_t since_ms,
            before_ms;  /* start of the window (0: none yet), and processor time used before it */
        bool is_greedy; /* it was ended for that */
    } cpu;
    struct limits_source source;
    char address[INET6_ADDRSTRLEN];
};

struct sessions {
    size_t max;
    int count, unauth; /* living sessions; those not signed in */
    struct sessions_entry *entries;
};

/* Memory is touched only as far as it is used. Aborts if there is none. */
void sessions_init(struct sessions *sessions, size_t max);

/* Closes no descriptors. */
void sessions_clear(struct sessions *sessions);

/* Returns a free place, or NULL. It is taken from sessions_add on. */
struct sessions_entry *sessions_free_place(struct sessions *sessions);
void sessions_add(struct sessions *sessions, struct sessions_entry *place,
                  const struct sessions_entry *entry);

/* Returns NULL if there is none. */
struct sessions_entry *sessions_by_pid(struct sessions *sessions, pid_t pid);
struct sessions_entry *sessions_by_conn(struct sessions *sessions, int64_t conn);

/* Marks it as signed in and closes its signed_in_fd. May be called twice. */
void sessions_sign_in(struct sessions *sessions, struct sessions_entry *entry);

/* Closes its descriptors and frees its place. */
void sessions_remove(struct sessions *sessions, struct sessions_entry *entry);

/* The counts that limits_judge needs for a new connection from `source`. */
struct limits_counts sessions_count(const struct sessions *sessions,
                                    const struct limits_source *source);
