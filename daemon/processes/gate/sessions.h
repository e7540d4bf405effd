#pragma once

#include "daemon/processes/gate/limits.h"

#include <netinet/in.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The gate's living sessions: a table of fixed size, in which a session keeps its place (its index)
 * until it ends.
 */
struct sessions_entry {
    pid_t pid;      /* process id; 0: the place is free */
    bool is_telnet; /* true: telnet; false: SSH */
    int64_t conn;
    int64_t opened_ms; /* when the client connected, monotonic */
    int core_end;      /* copy of the core's end of the session's socket; -1: closed */
    int signed_in_fd;  /* becomes readable when somebody signs in, and is then closed; -1: closed */
    int log_fd;   /* reading end of the pipe for the session's log (gate_log.h); -1: the session
                     writes to the house's log */
    bool is_told; /* the gate has told the core about the session, and has sent the core the core's
                     end of the session's socket */
    int64_t end_by_ms; /* when the gate kills the process because the house has ended the session,
                          monotonic; 0: the session has not been ended */
    struct {
        int64_t lines,
            since_ms;   /* number of log lines that count towards the limit, as of since_ms */
        int64_t due_ms; /* when the gate reads the log again; 0: the log is not paused */
        bool is_paced;  /* the log has exceeded the limit before */
    } log;
    struct {
        int64_t since_ms,
            before_ms; /* start of the time window in which processor time is measured (0: there was
                          none yet), and processor time used before that window */
        bool is_over_limit; /* the session was killed for its use of processor time */
    } cpu;
    struct limits_source source;
    char address[INET6_ADDRSTRLEN];
};

struct sessions {
    size_t max;
    int count,
        unauth; /* number of all sessions, and number of sessions in which nobody has signed in */
    struct sessions_entry *entries;
};

/* Makes an empty table. Only places that are taken use memory. Aborts if memory runs out. */
void sessions_init(struct sessions *sessions, size_t max_count);

/* Frees the table; closes no descriptors. */
void sessions_clear(struct sessions *sessions);

/* Returns a free place, which sessions_add can take; NULL if there is none. */
struct sessions_entry *sessions_find_free_place(struct sessions *sessions);
void sessions_add(struct sessions *sessions, struct sessions_entry *place,
                  const struct sessions_entry *session);

/* Return NULL if there is no such session. */
struct sessions_entry *sessions_find_by_pid(struct sessions *sessions, pid_t pid);
struct sessions_entry *sessions_find_by_conn(struct sessions *sessions, int64_t conn);

/* Marks the session as signed in and closes its signed_in_fd. Does nothing at a second call. */
void sessions_mark_signed_in(struct sessions *sessions, struct sessions_entry *session);

/* Closes the session's descriptors and frees its place. */
void sessions_remove(struct sessions *sessions, struct sessions_entry *session);

/* Counts sessions for limits_judge_connection: those in which nobody has signed in, those from the
 * same source, and those from the same /48. */
struct limits_counts sessions_count_from_source(const struct sessions *sessions,
                                                const struct limits_source *source);
