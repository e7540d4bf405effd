#pragma once

#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"

struct sanctions_conn_state {
    int64_t ban;          /* the ban that refused this connection; 0: none */
    int64_t confirmed_ms; /* when the person last confirmed their identity (step_up.h); 0: never
                             since this core started */
};

static inline struct sanctions_conn_state *sanctions_conn_state(const struct conn *conn)
{
    return CONN_STATE(conn, sanctions);
}

/* What staff have barred a person from. Each time is when the sanction ends, unix ms; 0: not
 * barred. */
struct sanctioned {
    int64_t mute_ms[MUTE_SCOPES];
    int64_t suspend_ms;
    int64_t rankban_ms;
    bool is_warned; /* the person has a warning that they have not acknowledged */
    bool is_held;   /* the person is a held guest */
};

struct sanctions_person_state {
    struct sanctioned by_staff;
    int64_t paused_ms; /* when the pause after writing too much ends, unix ms */
};

static inline struct sanctions_person_state *sanctions_person_state(const struct person *person)
{
    return PERSON_STATE(person, sanctions);
}
