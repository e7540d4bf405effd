#pragma once

#include "daemon/processes/gate/limits.h"
#include "daemon/processes/gate/source_counts.h"

#include <limits.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/queue.h>
#include <sys/types.h>

/*
 * The gate's living sessions: a table of fixed size, in which a session keeps its place (its index)
 * until it ends. No function but sessions_init, sessions_clear and sessions_forget_told takes
 * longer when there are more sessions. Child processes do not inherit the table: a session does not
 * see who else is connected.
 */
enum {
    /* the descriptors that a session's process uses: client, core, sign-in, log */
    SESSIONS_CHILD_ENDS = 4
};

/* Stands for the id of a process that an earlier gate has forked: it is another one's child, and
 * the system gives no process this number. */
#define SESSIONS_FOREIGN_PID INT_MAX

struct sessions_entry {
    pid_t pid;      /* process id; 0: the place is free */
    bool is_telnet; /* true: telnet; false: SSH */
    int64_t conn;
    int64_t opened_ms; /* when the client connected, monotonic */
    int core_end;      /* copy of the core's end of the session's socket; -1: closed */
    int signed_in_fd;  /* becomes readable when the session's process has separated its descriptors
                          from the gate's (separation.h), and when somebody signs in; closed after
                          the sign-in; -1: closed */
    int log_fd;     /* reading end of the pipe for the session's log (gate_log.h); -1: the session
                       writes to the house's log */
    int process_fd; /* becomes readable when the process exits (pidfd_open(2)); -1: none */
    bool awaits_separation; /* the process has not yet said that it has separated its descriptors
                               from the gate's */
    bool has_child_ends;    /* the gate has not closed child_ends yet */
    int child_ends[SESSIONS_CHILD_ENDS]; /* the gate's copies of the descriptors that the process
                                            uses, which it must still close */
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

    /* The following members belong to sessions.c. */
    struct source_count *source_count, *net_count; /* net_count: NULL if the source has no net */
    LIST_ENTRY(sessions_entry) of_conn;            /* in a chain of `by_conn`, or in `free` */
    LIST_ENTRY(sessions_entry) of_unauth, of_paused;
    TAILQ_ENTRY(sessions_entry) of_untold, of_ending;
    bool is_untold; /* the session is in the list `untold` */
};

LIST_HEAD(sessions_list, sessions_entry);
TAILQ_HEAD(sessions_queue, sessions_entry);

struct sessions {
    size_t max;
    size_t used; /* the places from here on have never been taken */
    int count,
        unauth; /* number of all sessions, and number of sessions in which nobody has signed in */
    int without_process_fd; /* number of sessions with process_fd -1 */
    struct sessions_entry *entries;
    struct sessions_list free;        /* free places that were taken before */
    struct sessions_list *by_conn;    /* `max` chains of sessions, by the connection's number */
    struct sessions_list unauth_list; /* sessions in which nobody has signed in */
    struct sessions_list paused;      /* sessions whose log is paused */
    struct sessions_queue untold;     /* sessions that the core must be told about */
    struct sessions_queue ending;     /* sessions with end_by_ms, the earliest first */
    struct source_counts sources, nets;
};

/* A loop over all living sessions. The session in `item` may be removed during the loop. */
#define SESSIONS_EACH(item, sessions)                                                              \
    for ((item) = (sessions)->entries; (item) < (sessions)->entries + (sessions)->used; (item)++)  \
        if ((item)->pid == 0) {                                                                    \
        } else

/* Makes an empty table. Only places that are taken use memory. Aborts if memory runs out. */
void sessions_init(struct sessions *sessions, size_t max_count);

/* Frees the table; closes no descriptors. */
void sessions_clear(struct sessions *sessions);

/* True if there is no room for another session. */
bool sessions_is_full(const struct sessions *sessions);

/* Adds a copy of the session, for which there must be room. Returns the session in the table. */
struct sessions_entry *sessions_add(struct sessions *sessions,
                                    const struct sessions_entry *session);

/* Returns NULL if there is no such session. */
struct sessions_entry *sessions_find_by_conn(struct sessions *sessions, int64_t conn);

/* Sets the descriptor of the process of a session that has none. */
void sessions_set_process_fd(struct sessions *sessions, struct sessions_entry *session,
                             int process_fd);

/* Closes the gate's copies of the descriptors that the session's process uses. Does nothing at a
 * second call. */
void sessions_close_child_ends(struct sessions_entry *session);

/* Marks the session as signed in and closes its signed_in_fd. Does nothing at a second call. */
void sessions_mark_signed_in(struct sessions *sessions, struct sessions_entry *session);

/* Returns a session that the core must be told about; NULL if there is none. */
struct sessions_entry *sessions_next_untold(struct sessions *sessions);

/* Marks that the core has been told about the session. */
void sessions_mark_told(struct sessions *sessions, struct sessions_entry *session);

/* Marks that the core must be told about all sessions whose core_end is open. */
void sessions_forget_told(struct sessions *sessions);

/* Closes the gate's copy of the core's end, so the core need not be told about the session. */
void sessions_close_core_end(struct sessions *sessions, struct sessions_entry *session);

/* Sets when the gate kills the session's process, again if it was set before. */
void sessions_set_end(struct sessions *sessions, struct sessions_entry *session, int64_t end_by_ms);

/* Puts the session on the list of those whose log is paused until log.due_ms, and takes it off. */
void sessions_pause_log(struct sessions *sessions, struct sessions_entry *session, int64_t due_ms);
void sessions_resume_log(struct sessions_entry *session);

/* Closes the session's descriptors and frees its place. */
void sessions_remove(struct sessions *sessions, struct sessions_entry *session);

/* Counts sessions for limits_judge_connection: those in which nobody has signed in, those from the
 * same source, and those from the same /48. */
struct limits_counts sessions_count_from_source(const struct sessions *sessions,
                                                const struct limits_source *source);
