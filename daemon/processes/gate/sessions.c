#include "daemon/processes/gate/sessions.h"

#include "daemon/base/fd.h"
#include "daemon/base/must.h"

#include <stdlib.h>

void sessions_init(struct sessions *sessions, size_t max_count)
{
    *sessions = (struct sessions){.max = max_count};
    sessions->entries = must_not_be_null(calloc(max_count, sizeof(*sessions->entries)));
}

void sessions_clear(struct sessions *sessions)
{
    free(sessions->entries);
    *sessions = (struct sessions){0};
}

struct sessions_entry *sessions_find_by_pid(struct sessions *sessions, pid_t pid)
{
    for (size_t i = 0; i < sessions->max; i++) {
        if (sessions->entries[i].pid == pid) {
            return &sessions->entries[i];
        }
    }
    return NULL;
}

struct sessions_entry *sessions_find_free_place(struct sessions *sessions)
{
    return sessions_find_by_pid(sessions, 0);
}

void sessions_add(struct sessions *sessions, struct sessions_entry *place,
                  const struct sessions_entry *session)
{
    *place = *session;
    sessions->count++;
    if (place->signed_in_fd >= 0) {
        sessions->unauth++;
    }
}

struct sessions_entry *sessions_find_by_conn(struct sessions *sessions, int64_t conn)
{
    for (size_t i = 0; i < sessions->max; i++) {
        if (sessions->entries[i].pid != 0 && sessions->entries[i].conn == conn) {
            return &sessions->entries[i];
        }
    }
    return NULL;
}

void sessions_mark_signed_in(struct sessions *sessions, struct sessions_entry *session)
{
    if (session->signed_in_fd >= 0) {
        fd_close_and_reset(&session->signed_in_fd);
        sessions->unauth--;
    }
}

void sessions_remove(struct sessions *sessions, struct sessions_entry *session)
{
    sessions_mark_signed_in(sessions, session);
    fd_close(session->core_end);
    fd_close(session->log_fd);
    *session = (struct sessions_entry){0};
    sessions->count--;
}

static bool is_same_net(const struct limits_source *a, const struct limits_source *b)
{
    struct limits_source nets[2];
    return limits_source_to_net(a, &nets[0]) && limits_source_to_net(b, &nets[1]) &&
           limits_source_is_equal(&nets[0], &nets[1]);
}

struct limits_counts sessions_count_from_source(const struct sessions *sessions,
                                                const struct limits_source *source)
{
    struct limits_counts counts = {
        .unauth = sessions->unauth,
        .is_loopback = limits_source_is_loopback(source),
    };
    for (size_t i = 0; i < sessions->max; i++) {
        const struct sessions_entry *session = &sessions->entries[i];
        int unauth = session->signed_in_fd >= 0 ? 1 : 0;
        if (session->pid != 0 && limits_source_is_equal(&session->source, source)) {
            counts.source_connections++;
            counts.source_unauth += unauth;
        }
        if (session->pid != 0 && is_same_net(&session->source, source)) {
            counts.net_connections++;
            counts.net_unauth += unauth;
        }
    }
    return counts;
}
