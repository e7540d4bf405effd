#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"

#include <assert.h>

void sessions_init(struct sessions *sessions, size_t max_count)
{
    *sessions = (struct sessions){
        .max = max_count,
        .entries = unforked_allocate(max_count * sizeof(*sessions->entries)),
        .by_conn = unforked_allocate(max_count * sizeof(*sessions->by_conn)),
    };
    TAILQ_INIT(&sessions->untold);
    TAILQ_INIT(&sessions->ending);
    source_counts_init(&sessions->sources, max_count);
    source_counts_init(&sessions->nets, max_count);
}

void sessions_clear(struct sessions *sessions)
{
    source_counts_clear(&sessions->sources);
    source_counts_clear(&sessions->nets);
    unforked_free(sessions->entries, sessions->max * sizeof(*sessions->entries));
    unforked_free(sessions->by_conn, sessions->max * sizeof(*sessions->by_conn));
    *sessions = (struct sessions){0};
}

bool sessions_is_full(const struct sessions *sessions)
{
    return (size_t)sessions->count >= sessions->max;
}

/* The numbers of connections are consecutive, so they spread evenly over the chains. */
static struct sessions_list *find_conn_chain(const struct sessions *sessions, int64_t conn)
{
    return &sessions->by_conn[(uint64_t)conn % sessions->max];
}

static struct sessions_entry *take_free_place(struct sessions *sessions)
{
    struct sessions_entry *place = LIST_FIRST(&sessions->free);
    if (place != NULL) {
        LIST_REMOVE(place, of_conn);
        return place;
    }
    assert(sessions->used < sessions->max);
    return &sessions->entries[sessions->used++];
}

static void count_session(struct sessions *sessions, struct sessions_entry *session)
{
    struct limits_source net;
    session->source_count = source_counts_add(&sessions->sources, &session->source);
    session->net_count = limits_source_to_net(&session->source, &net)
                             ? source_counts_add(&sessions->nets, &net)
                             : NULL;
    sessions->count++;
    sessions->without_process_fd += session->process_fd < 0 ? 1 : 0;
}

static void uncount_session(struct sessions *sessions, struct sessions_entry *session)
{
    source_counts_remove(&sessions->sources, session->source_count);
    if (session->net_count != NULL) {
        source_counts_remove(&sessions->nets, session->net_count);
    }
    sessions->count--;
    sessions->without_process_fd -= session->process_fd < 0 ? 1 : 0;
}

static void add_to_unauth_counts(struct sessions *sessions, struct sessions_entry *session,
                                 int change)
{
    sessions->unauth += change;
    session->source_count->unauth += change;
    if (session->net_count != NULL) {
        session->net_count->unauth += change;
    }
}

static void update_untold(struct sessions *sessions, struct sessions_entry *session)
{
    bool is_untold = !session->is_told && session->core_end >= 0;
    if (is_untold && !session->is_untold) {
        TAILQ_INSERT_TAIL(&sessions->untold, session, of_untold);
    } else if (!is_untold && session->is_untold) {
        TAILQ_REMOVE(&sessions->untold, session, of_untold);
    }
    session->is_untold = is_untold;
}

/* Keeps the queue in the order of times. A new time is nearly always the latest one. */
static void insert_into_ending(struct sessions *sessions, struct sessions_entry *session)
{
    struct sessions_entry *before = TAILQ_LAST(&sessions->ending, sessions_queue);
    while (before != NULL && before->end_by_ms > session->end_by_ms) {
        before = TAILQ_PREV(before, sessions_queue, of_ending);
    }
    if (before == NULL) {
        TAILQ_INSERT_HEAD(&sessions->ending, session, of_ending);
    } else {
        TAILQ_INSERT_AFTER(&sessions->ending, before, session, of_ending);
    }
}

struct sessions_entry *sessions_add(struct sessions *sessions, const struct sessions_entry *session)
{
    struct sessions_entry *place = take_free_place(sessions);
    *place = *session;
    place->is_untold = false;
    LIST_INSERT_HEAD(find_conn_chain(sessions, place->conn), place, of_conn);
    count_session(sessions, place);
    if (place->signed_in_fd >= 0) {
        LIST_INSERT_HEAD(&sessions->unauth_list, place, of_unauth);
        add_to_unauth_counts(sessions, place, 1);
    }
    if (place->end_by_ms != 0) {
        insert_into_ending(sessions, place);
    }
    if (place->log.due_ms != 0) {
        LIST_INSERT_HEAD(&sessions->paused, place, of_paused);
    }
    update_untold(sessions, place);
    return place;
}

struct sessions_entry *sessions_find_by_conn(struct sessions *sessions, int64_t conn)
{
    struct sessions_entry *session = LIST_FIRST(find_conn_chain(sessions, conn));
    while (session != NULL && session->conn != conn) {
        session = LIST_NEXT(session, of_conn);
    }
    return session;
}

void sessions_set_process_fd(struct sessions *sessions, struct sessions_entry *session,
                             int process_fd)
{
    session->process_fd = process_fd;
    sessions->without_process_fd--;
}

void sessions_close_child_ends(struct sessions_entry *session)
{
    for (size_t i = 0; session->has_child_ends && i < SESSIONS_CHILD_ENDS; i++) {
        fd_close(session->child_ends[i]);
    }
    session->has_child_ends = false;
}

void sessions_mark_signed_in(struct sessions *sessions, struct sessions_entry *session)
{
    if (session->signed_in_fd >= 0) {
        fd_close_and_reset(&session->signed_in_fd);
        LIST_REMOVE(session, of_unauth);
        add_to_unauth_counts(sessions, session, -1);
    }
}

struct sessions_entry *sessions_next_untold(struct sessions *sessions)
{
    return TAILQ_FIRST(&sessions->untold);
}

void sessions_mark_told(struct sessions *sessions, struct sessions_entry *session)
{
    session->is_told = true;
    update_untold(sessions, session);
}

void sessions_forget_told(struct sessions *sessions)
{
    struct sessions_entry *session;
    SESSIONS_EACH(session, sessions) {
        session->is_told = false;
        update_untold(sessions, session);
    }
}

void sessions_close_core_end(struct sessions *sessions, struct sessions_entry *session)
{
    fd_close_and_reset(&session->core_end);
    update_untold(sessions, session);
}

void sessions_set_end(struct sessions *sessions, struct sessions_entry *session, int64_t end_by_ms)
{
    if (session->end_by_ms != 0) {
        TAILQ_REMOVE(&sessions->ending, session, of_ending);
    }
    session->end_by_ms = end_by_ms;
    insert_into_ending(sessions, session);
}

void sessions_pause_log(struct sessions *sessions, struct sessions_entry *session, int64_t due_ms)
{
    session->log.due_ms = due_ms;
    LIST_INSERT_HEAD(&sessions->paused, session, of_paused);
}

void sessions_resume_log(struct sessions_entry *session)
{
    session->log.due_ms = 0;
    LIST_REMOVE(session, of_paused);
}

void sessions_remove(struct sessions *sessions, struct sessions_entry *session)
{
    sessions_mark_signed_in(sessions, session);
    sessions_close_core_end(sessions, session);
    sessions_close_child_ends(session);
    fd_close(session->log_fd);
    if (session->log.due_ms != 0) {
        sessions_resume_log(session);
    }
    if (session->end_by_ms != 0) {
        TAILQ_REMOVE(&sessions->ending, session, of_ending);
    }
    LIST_REMOVE(session, of_conn);
    uncount_session(sessions, session);
    fd_close(session->process_fd);
    *session = (struct sessions_entry){0};
    LIST_INSERT_HEAD(&sessions->free, session, of_conn);
}

struct limits_counts sessions_count_from_source(const struct sessions *sessions,
                                                const struct limits_source *source)
{
    struct limits_source net;
    struct limits_counts counts = {
        .unauth = sessions->unauth,
        .is_loopback = limits_source_is_loopback(source),
    };
    const struct source_count *found = source_counts_find(&sessions->sources, source);
    if (found != NULL) {
        counts.source_connections = found->connections;
        counts.source_unauth = found->unauth;
    }
    found = limits_source_to_net(source, &net) ? source_counts_find(&sessions->nets, &net) : NULL;
    if (found != NULL) {
        counts.net_connections = found->connections;
        counts.net_unauth = found->unauth;
    }
    return counts;
}
