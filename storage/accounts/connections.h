#pragma once

#include "storage/accounts/accounts.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* The open connections and their sign-ins, from which a restarted core resumes. */

#define STORAGE_ADDRESS_SIZE 65
#define STORAGE_OBSERVES_SIZE 513
#define STORAGE_BYE_SIZE 4097

#define STORAGE_CONNECTION_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(NUMBER, conn)                  /* number that the gate gave the connection */            \
    NEXT(TEXT(STORAGE_WORD_SIZE), phase) /* phase of the connection, as in PROTOCOL.md */          \
    NEXT(LINK, account) /* account that is signed in; 0: a guest, or not signed in */              \
    NEXT(TEXT(STORAGE_NAME_SIZE), name) /* name of the account or guest; "" when not signed in */  \
    NEXT(TEXT(STORAGE_KEY_TYPE_SIZE),                                                              \
         key_type) /* type of the client's verified key; "" without a key */                       \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), key_fingerprint)                                          \
    NEXT(LINK, table, table_id) /* table that the person is at; 0: in the lobby */                 \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address)                                                      \
    NEXT(TEXT(STORAGE_WORD_SIZE), transport)                                                       \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(FLAG,                                                                                     \
         is_recovered) /* the person signed in with a recovery code and has no new password yet */ \
    NEXT(TEXT(STORAGE_OBSERVES_SIZE),                                                              \
         observes)     /* reason that a moderator gave for watching unseen; "" for others */       \
    NEXT(LINK, review) /* shared replay (reviews.h) that the person watches; 0: none */            \
    NEXT(NUMBER, review_place) /* order of joining the shared replay: the person with the lowest   \
                                  number leads */

struct storage_connection {
    STORAGE_MEMBERS(STORAGE_CONNECTION_COLUMNS)
};

/* Adds a connection or replaces it. */
enum storage_result storage_connection_save(struct storage *storage,
                                            const struct storage_connection *connection) MUST_CHECK;
enum storage_result storage_connection_read(struct storage *storage, int64_t conn,
                                            struct storage_connection *connection) MUST_CHECK;

/* Stores the goodbye text of a connection that is being closed, so that a restarted core can still
 * send it. STORAGE_OK also for an unknown connection. */
enum storage_result storage_connection_store_goodbye(struct storage *storage, int64_t conn,
                                                     const char *why) MUST_CHECK;

/* Reads the goodbye text of a connection that is being closed; STORAGE_NOT_FOUND when none is
 * stored. */
enum storage_result storage_connection_read_goodbye(struct storage *storage, int64_t conn,
                                                    char why[STORAGE_BYE_SIZE]) MUST_CHECK;

/* Deletes a connection. STORAGE_OK also for an unknown connection. */
enum storage_result storage_connection_delete(struct storage *storage, int64_t conn) MUST_CHECK;

typedef bool storage_connection_row(void *context, const struct storage_connection *connection);

/* Lists all connections in the order of their numbers. */
enum storage_result storage_connections_each(struct storage *storage, storage_connection_row *row,
                                             void *context) MUST_CHECK;
