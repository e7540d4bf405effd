#ifndef STORAGE_ACCOUNTS_CONNECTIONS_H
#define STORAGE_ACCOUNTS_CONNECTIONS_H

#include "storage/accounts/accounts.h"
#include "storage/storage.h"

/* Who is signed in where, so that a restarted core knows. */

#define STORAGE_ADDRESS_SIZE 65
#define STORAGE_OBSERVES_SIZE 513
#define STORAGE_BYE_SIZE 2049

struct storage_connection {
    int64_t conn;                         /* the gate's number */
    char phase[STORAGE_WORD_SIZE];        /* PROTOCOL.md's */
    int64_t account;                      /* 0: a guest, or not signed in */
    char name[STORAGE_NAME_SIZE];         /* account's or guest's; "" when not signed in */
    char key_type[STORAGE_KEY_TYPE_SIZE]; /* the verified key a visitor may sign up with; "" */
    char key_fingerprint[STORAGE_FINGERPRINT_SIZE];
    int64_t table; /* entered; 0: in the lobby */
    char address[STORAGE_ADDRESS_SIZE];
    char transport[STORAGE_WORD_SIZE];
    int64_t since_ms;
    bool is_recovered; /* came in by a recovery code and has not chosen a password yet */
    char observes[STORAGE_OBSERVES_SIZE]; /* why it watches its table unseen; "": it does not */
    int64_t review;                       /* which it leads or follows (reviews.h); 0: none */
    int64_t review_place;                 /* among those in it: the lowest leads */
};

/* Adds or replaces. */
enum storage_result storage_connection_save(struct storage *storage,
                                            const struct storage_connection *connection) MUST_CHECK;
enum storage_result storage_connection_read(struct storage *storage, int64_t conn,
                                            struct storage_connection *connection) MUST_CHECK;

/* The connection is sent away with these words, whoever tells it so. One that is not there is
 * STORAGE_OK. */
enum storage_result storage_connection_dismiss(struct storage *storage, int64_t conn,
                                               const char *why) MUST_CHECK;

/* With which words it was sent away; STORAGE_NOT_FOUND when it was not, or is not there. */
enum storage_result storage_connection_dismissed(struct storage *storage, int64_t conn,
                                                 char why[STORAGE_BYE_SIZE]) MUST_CHECK;

/* A connection that is not there is STORAGE_OK. */
enum storage_result storage_connection_end(struct storage *storage, int64_t conn) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_connection_row(void *context, const struct storage_connection *connection);

/* All of them, by number. */
enum storage_result storage_connections_each(struct storage *storage, storage_connection_row *row,
                                             void *context) MUST_CHECK;

#endif
