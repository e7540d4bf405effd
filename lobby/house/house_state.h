#pragma once

#include "lobby/house/bucket.h"
#include "lobby/house/house.h"
#include "lobby/house/index.h"
#include "lobby/house/layout.h"
#include "lobby/house/limits.h"
#include "lobby/house/outbox.h"
#include "storage/accounts/connections.h"
#include "storage/storage.h"

#include <jansson.h>
#include <stddef.h>
#include <sys/queue.h>

/*
 * What the house holds in memory, shared by the files of lobby/ alone. Everything here but
 * connections' limits and pending answers can be built anew from the storage.
 */

#define ANSWERS_MAX 64
#define ANSWERS_BYTES_MAX ((size_t)2 * PAYLOAD_MAX) /* of the answers themselves */

/* The parts' numbers, from 0, in the order of parts.def (parts.h). */
enum part_number {
#define PART(name) PART_NUMBER_##name,
#include "lobby/house/parts.def"
    PARTS_COUNT,
};

/* A session's way (PROTOCOL.md); other peers go from NEW to IN.
 *
 *     NEW ──hello──▶ DOOR ──sign_in──▶ IN
 *                      └──sign_in──▶ VISITOR ──sign_up──▶ IN
 */
enum phase {
    PHASE_NEW = 1,
    PHASE_DOOR = 2,
    PHASE_VISITOR = 4,
    PHASE_IN = 8,
    PHASE_ANY = 15,
};

/* A request that changes something, with its answer: if the peer repeats the request, it is not
 * carried out again. */
struct answer {
    int64_t request;
    struct payload *payload; /* NULL: not answered yet */
    bool is_waiting;         /* answered, but the answer is delayed (struct later) */
    bool is_stored;          /* the answer is stored, so that a restarted core knows it */
};

/* See answers.h. */
struct answers {
    struct answer list[ANSWERS_MAX]; /* in the order of their answers; unanswered ones in the order
                                         of arrival */
    size_t count;
    size_t bytes;    /* total size of the payloads */
    int64_t newest;  /* the highest request answered */
    int64_t dropped; /* the highest answered request whose answer is forgotten */
};

struct person;

TAILQ_HEAD(conn_list, conn);

struct conn {
    _Alignas(max_align_t) int64_t id; /* blocks follow the struct, aligned */
    enum peer peer;
    enum phase phase;
    char address[STORAGE_ADDRESS_SIZE];
    char transport[STORAGE_WORD_SIZE];
    int64_t since_ms;
    const struct layout *layout; /* layout of the parts' blocks: CONN_STATE */
    char *blocks;
    struct bucket input; /* limits the messages received */
    uint32_t input_excess;
    bool is_unknown;    /* somebody has signed in here, but the storage does not say who */
    bool is_unfit;      /* its data are inconsistent (fault.h): it ends after the rebuild */
    bool is_unrecorded; /* entry_record has not been stored yet (read_only.h) */
    struct storage_connection
        unsaved; /* the row conn_save could not store (read_only.h); number 0: none */

    /* conn_reset zeroes all members from here on. */
    int64_t protocol;   /* the number that its `hello` named; 0: none yet */
    bool awaits_hello;  /* told to resync: everything before its `hello` is ignored, and the peer
                           repeats it */
    bool is_returned;   /* an earlier core has served this connection */
    bool is_lost;       /* its output was dropped: send nothing but `resync` */
    bool is_ending;     /* `bye` was sent (conn_dismiss) */
    bool was_read_only; /* has not been told yet that read-only mode is over */
    bool is_asking;     /* signed in for queries only, not in the house (entry.h) */
    bool is_program;    /* signed in through the API */
    bool is_answered;   /* in the house's list `answered` */
    char key_type[STORAGE_KEY_TYPE_SIZE]; /* a verified key: opens its account, or may be added to a
                                             new one */
    char key_fingerprint[STORAGE_FINGERPRINT_SIZE];
    struct person *person; /* who is signed in (lobby/persons); NULL before PHASE_IN */
    struct answers answers;
    TAILQ_ENTRY(conn) of_answered;
};

/* What the part of that name keeps of the connection (struct part, conn_size). */
#define CONN_STATE(conn, name) ((void *)((conn)->blocks + (conn)->layout->at[PART_NUMBER_##name]))

/* A part's list of connections: the link is in what the part keeps of the connection. */
struct conn_link {
    struct conn *conn;
    TAILQ_ENTRY(conn_link) in_list;
};

TAILQ_HEAD(conn_links, conn_link);

/* The connections of such a list; none may be removed meanwhile. After the last, `item` is NULL. */
#define CONN_LINKS_EACH(item, list)                                                                \
    for (const struct conn_link *link_ = TAILQ_FIRST(list);                                        \
         ((item) = link_ == NULL ? NULL : link_->conn) != NULL;                                    \
         link_ = TAILQ_NEXT(link_, in_list))

/* Declares `item` and runs the following block for each connection of such a list; the block must
 * not remove any. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name has none */
#define LINKED_CONNS_EACH(item, list)                                                              \
    for (const struct conn_link *link_ = TAILQ_FIRST(list), **link_once_ = &link_;                 \
         link_once_ != NULL; link_once_ = NULL)                                                    \
        for (struct conn *item = link_ == NULL ? NULL : link_->conn; item != NULL;                 \
             link_ = TAILQ_NEXT(link_, in_list), item = link_ == NULL ? NULL : link_->conn)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Declares `item` and runs the following block for every connection. */
#define CONNS_EACH(item, house) INDEX_ITEMS_EACH(struct conn, item, &(house)->conns)

/* A refused sign-in whose answer is delayed. */
struct later {
    int64_t due_ms;
    int64_t conn;
    int64_t request;
    struct payload *answer;
    TAILQ_ENTRY(later) in_list;
};

TAILQ_HEAD(delayed_answers_list, later);

/* The work in progress, which a fault is blamed on (fault.h). 0 or NULL: none of that kind. */
struct doing {
    const char *item_kind; /* an item that its part can give up alone (parts.h), such as "table" */
    int64_t item;          /* its number */
    int64_t conn;          /* the session being served */
    int64_t request;       /* its request */
    size_t part;           /* the part at work, from 1 */
};

struct fault {
    bool is_met;
    struct doing at; /* the work in progress when the fault occurred */
    char why[STORAGE_WHY_SIZE];
};

/* The state of that part in that house (struct part, house_size). */
#define PART_STATE(house, name) ((house)->states[PART_NUMBER_##name])

struct house {
    void *states[PARTS_COUNT]; /* PART_STATE */
    struct layout conn_layout;
    struct house_config config;
    struct storage *storage;
    int64_t now_ms;
    bool is_failed;                    /* a write failed: nothing of this turn may be sent */
    char failed_why[STORAGE_WHY_SIZE]; /* one sentence, if is_failed */
    struct doing doing;
    struct fault fault;
    int64_t part_paused_ms[PARTS_COUNT]; /* a part rests until then after a fault */
    bool is_full; /* the disk was full in this turn: nothing of it may be sent, but the next turn
                     may succeed (read_only.h) */
    bool is_read_only;
    bool has_written;                   /* this core has written successfully */
    int64_t full_since_ms, room_due_ms; /* read-only: since when; next look for room */
    struct index conns;                 /* by id */
    struct outbox outbox;
    struct delayed_answers_list laters;
    struct conn_list answered; /* connections answered in this turn */
    int64_t alive_ms;          /* when the house was last known to be up, as stored */
    int64_t alive_seen_ms;     /* the same, as known in memory */
    int64_t alive_due_ms;      /* the next turn is due then; INT64_MAX: no clock runs */
};
