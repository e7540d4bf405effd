#pragma once

#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/voice.h"

struct sanctions_conn {
    int64_t ban; /* the ban that refused this session after it proved its identity; 0: none */
    int64_t confirmed_ms; /* last confirmation of identity (step_up.h); 0: none since this core
                             started */
};

static inline struct sanctions_conn *sanctions_conn(const struct conn *conn)
{
    return CONN_STATE(conn, sanctions);
}

/* What staff have barred somebody from (sanctions.h): until when, unix ms; 0: not barred. */
struct sanctioned {
    int64_t mute_ms[MUTE_SCOPES];
    int64_t suspend_ms;
    int64_t rankban_ms;
    bool is_warned; /* has an unacknowledged warning */
    bool is_held;   /* a guest who is held */
};

struct sanctions_person {
    struct sanctioned by_staff;
    int64_t paused_ms; /* wrote too much: not heard until then */
};

static inline struct sanctions_person *sanctions_person(const struct person *person)
{
    return PERSON_STATE(person, sanctions);
}
