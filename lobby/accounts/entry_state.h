#pragma once

#include "lobby/house/house_state.h"
#include "storage/accounts/totp.h"

/* How a connection came about, and what is known of it. */
struct entry_conn {
    bool is_recovered; /* signed in by recovery code: needs no old password */
    char totp_secret[STORAGE_TOTP_SECRET_SIZE]; /* shown to the person, not yet confirmed by a code;
                                                   "": none */
};

static inline struct entry_conn *entry_conn(const struct conn *conn)
{
    return CONN_STATE(conn, entry);
}
