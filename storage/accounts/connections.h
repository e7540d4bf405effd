#pragma once

#include "storage/accounts/accounts.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"

/* The open connections and their sign-ins, from which a restarted core resumes. */

#define STORAGE_ADDRESS_SIZE 65
#define STORAGE_OBSERVES_SIZE 513
#define STORAGE_BYE_SIZE 4097

#define STORAGE_CONNECTION_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(NUMBER, conn)                  /* the gate's number */                                   \
    NEXT(TEXT(STORAGE_WORD_SIZE), phase) /* as in PROTOCOL.md */                                   \
    NEXT(LINK, account)                  /* 0: a guest, or not signed in */                        \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)  /* of the account or guest; "" when not signed in */      \
    NEXT(TEXT(STORAGE_KEY_TYPE_SIZE), key_type) /* verified key it may sign up with; "" */         \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), key_fingerprint)                                          \
    NEXT(LINK, table, table_id) /* the table it is at; 0: in the lobby */                          \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address)                                                      \
    NEXT(TEXT(STORAGE_WORD_SIZE), transport)                                                       \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(FLAG, is_recovered) /* signed in by a recovery code, no new password yet */               \
    NEXT(TEXT(STORAGE_OBSERVES_SIZE), observes) /* reason for watching unseen; "" */               \
    NEXT(LINK, review)         /* the shared replay it is in (reviews.h); 0: none */               \
    NEXT(NUMBER, review_place) /* order in the replay: the lowest leads */

struct storage_connection {
    STORAGE_MEMBERS(STORAGE_CONNECTION_COLUMNS)
};

/* Adds or replaces. */
enum storage_result storage_connection_save(struct storage *storage,
                                            const struct storage_connection *connection) MUST_CHECK;
enum storage_result storage_connection_read(struct storage *storage, int64_t conn,
                                            struct storage_connection *connection) MUST_CHECK;

/* Stores the goodbye text of a connection that is being dismissed, so that a later core can send it
 * if this one ends first. An unknown connection is STORAGE_OK. */
enum storage_result storage_connection_store_goodbye(struct storage *storage, int64_t conn,
                                                     const char *why) MUST_CHECK;

/* Reads the goodbye text of a dismissed connection; STORAGE_NOT_FOUND when the connection was not
 * dismissed, or is unknown. */
enum storage_result storage_connection_read_goodbye(struct storage *storage, int64_t conn,
                                                    char why[STORAGE_BYE_SIZE]) MUST_CHECK;

/* Deletes a connection. An unknown one is STORAGE_OK. */
enum storage_result storage_connection_delete(struct storage *storage, int64_t conn) MUST_CHECK;

typedef bool storage_connection_row(void *context, const struct storage_connection *connection);

/* All connections, by number. */
enum storage_result storage_connections_each(struct storage *storage, storage_connection_row *row,
                                             void *context) MUST_CHECK;
