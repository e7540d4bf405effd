#pragma once

#include "lobby/house/house_state.h"
#include "storage/accounts/accounts.h"

/* How a connection has signed in. */
struct sign_in_state_of_conn {
    bool
        is_recovered; /* signed in by a recovery code: may set a new password without the old one */
    char invitation[STORAGE_CODE_HASH_SIZE]; /* the hash of the invitation that was typed; "": none
                                              */
    char totp_secret[STORAGE_TOTP_SECRET_SIZE]; /* an authenticator secret that was shown and is not
                                                   yet confirmed by a code; "": none */
};

CONN_STATE(sign_in_state_of_conn, struct sign_in_state_of_conn, entry);
