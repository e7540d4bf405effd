#pragma once

#include "storage/accounts/connections.h"
#include "storage/storage.h"

/* Who does something, and over which connection, as the audit log names them. This is a copy, since
 * the connection may be closed before the action is done. */
struct audit_source {
    int64_t account; /* 0: a guest or the owner */
    int64_t session;
    char name[STORAGE_NAME_SIZE];
    const char *role;
    char address[STORAGE_ADDRESS_SIZE];
    char fingerprint[STORAGE_FINGERPRINT_SIZE];
    const char *via;
};
