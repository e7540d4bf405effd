#pragma once

#include "lobby/house/house_state.h"

struct sanctions_conn {
    int64_t ban; /* the ban that refused this session after it proved its identity; 0: none */
    int64_t confirmed_ms; /* last confirmation of identity (step_up.h); 0: none since this core
                             started */
};

static inline struct sanctions_conn *sanctions_conn(const struct conn *conn)
{
    return CONN_STATE(conn, sanctions);
}
