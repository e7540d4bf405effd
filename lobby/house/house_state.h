#pragma once

#include "lobby/house/house.h"
#include "lobby/house/outbox.h"
#include "lobby/house/words.h"
#include "storage/accounts/accounts.h"
#include "storage/storage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* A rate limit (token bucket). `burst` tokens can be taken at once; then the bucket refills with
 * `per_second` tokens a second. A zeroed bucket is full. */
struct bucket {
    double used; /* tokens that are missing in the bucket now */
    int64_t at_ms;
};

struct bucket_rule {
    double burst;
    double per_second;
};

/* Takes `cost` tokens. Returns false and takes nothing when the bucket has fewer. */
bool bucket_take_tokens(struct bucket *bucket, const struct bucket_rule *rule, double cost,
                        int64_t now_ms);

/*
 * A hash table that keeps the order of insertion. The key is a run of bytes inside the item itself
 * and must not change while the item is in the index. The index holds pointers and does not own the
 * items. A zeroed struct is an empty index.
 */
struct index {
    struct index_entry *entries;
};

/* Returns the item with this key, or NULL. */
void *index_find(const struct index *index, const void *key, size_t len);

/* Adds an item whose key is not in the index yet. Aborts when memory is out. */
void index_add(struct index *index, const void *key, size_t len, void *item);

/* Removes the item with this key, which must be in the index. */
void index_remove(struct index *index, const void *key, size_t len);

size_t index_count(const struct index *index);

/* Returns the item that was added first, or NULL. */
void *index_oldest(const struct index *index);

/* Returns the item at *cursor and moves *cursor to the next item. Returns NULL after the last
 * item. */
void *index_next_item(struct index_entry **cursor);

/* Declares `item` and runs the following block for each item of the index, in insertion order. The
 * block may remove the current item. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name cannot be in parentheses */
#define INDEX_ITEMS_EACH(type, item, index)                                                        \
    for (struct index_entry *next_ = (index)->entries, **once_ = &next_; once_ != NULL;            \
         once_ = NULL)                                                                             \
        for (type *item = index_next_item(&next_); item != NULL; item = index_next_item(&next_))
/* NOLINTEND(bugprone-macro-parentheses) */

/* Divides one piece of memory into blocks, one for each of several owners, such as the parts of the
 * house. */
#define LAYOUT_OWNERS_MAX 64

struct layout {
    size_t size;                  /* total size of all blocks in bytes */
    size_t at[LAYOUT_OWNERS_MAX]; /* offset of each owner's block */
};

/* Adds a block of `size` bytes for the owner with this index, which is below LAYOUT_OWNERS_MAX. The
 * block is aligned for an int64_t or a pointer. */
void layout_add_block(struct layout *layout, size_t owner_index, size_t size);

#define MINUTE_MS INT64_C(60000)
#define HOUR_MS INT64_C(3600000)
#define DAY_MS INT64_C(86400000)

/*
 * Limits that are not settings. These match the sizes of our own buffers and forms:
 */
#define LIMIT_PASSWORD_BYTES 128 /* every form for a password has room for this many bytes */
#define LIMIT_KEYS 100           /* maximum number of keys per account; all fit one message */
#define LIMIT_TOTP_BYTES 16      /* room for an authenticator code, more than any needs */
#define LIMIT_TABLE_PASSWORD_MAX 64
/* how many chat lines are sent to a person who enters; a session's screen keeps no more lines */
#define CHAT_BACKLOG_LOBBY 50
#define CHAT_BACKLOG_TABLE 50
#define CHAT_BACKLOG_DIRECT 10
#define CHAT_BACKLOG_CHANNEL 20
#define LIMIT_CHANNELS_EACH 10    /* how many channels one person may be in */
#define LIMIT_FRIENDS 100         /* maximum number of friends per account; all fit one message */
#define LIMIT_OFFLINE_MESSAGES 20 /* maximum number of direct messages waiting for one account */
/* maximum number of direct messages from one sender waiting for one account */
#define LIMIT_OFFLINE_MESSAGES_PER_SENDER 5
#define LIMIT_OFFLINE_MESSAGE_DAYS 30
/* The unit of a setting, and how many messages a costly message counts as: */
#define LIMIT_REGISTRATIONS_MS 3600000
#define LIMIT_HELLO_COST 10  /* the rate limit counts a `hello` as this many messages */
#define LIMIT_LEADERS_COST 5 /* the rate limit counts a `leaders` request as this many messages */
#define LIMIT_ANSWER_BYTES 2048 /* every 2,048 bytes of an answer count as one more message */
#define LIMIT_MESSAGE_BYTES 512 /* every 512 bytes of a message count as one more message */
/* These set how fast and how often the house does its work: */
/* how long the seat of an absent player is kept at a turn-by-turn table */
#define PACE_DAYS_KEPT_MS INT64_C(604800000)
#define PACE_LOBBY_MS 100   /* how long changes of the lobby are collected before they are sent */
#define PACE_WINDOWS_MS 250 /* how long changes of a window of the lobby are collected */
#define PACE_WINDOWS_EACH_US 2000 /* mean time between sending changed windows to two sessions */
/* A session is told that only the length of a list has changed at most once in this time for each
 * session that looks at the lobby, but not later than the longest time. */
#define PACE_TOTALS_EACH_MS 10
#define PACE_TOTALS_MS_MAX 30000
#define PACE_LOBBY_ROWS 60000       /* maximum rows of lobby snapshots sent in a second */
#define PACE_LOBBY_ROWS_BURST 12000 /* maximum rows of lobby snapshots sent at once */
/* the limit on rows counts a row this many times if its recipient is at a table */
#define PACE_LOBBY_UNSEEN 3
#define PACE_LOBBY_WAIT_MS 10 /* interval at which the queue for lobby snapshots is served */
#define PACE_IDLE_MS 60000    /* interval at which idle times are checked */
/* if a bot process takes longer to choose a move, the core chooses one */
#define PACE_BOT_ANSWER_MS 1400
/* how long a bot may take to choose a move for which nobody waits */
#define PACE_BOT_UNHURRIED_MS 1500
#define PACE_ALL_AWAY_MS 86400000 /* how long a game without a clock waits for absent players */

/*
 * The house's data in memory, for the files of lobby/ alone. Everything here can be rebuilt from
 * the storage, except the connections' rate limits and delayed answers.
 */

#define ANSWERS_MAX 64
/* maximum bytes of answers kept for one connection */
#define ANSWERS_BYTES_MAX ((size_t)2 * PAYLOAD_MAX)

/* The numbers of the parts, from 0, in the order of parts.def. */
enum part_number {
#define PART(name) PART_NUMBER_##name,
#include "lobby/house/parts.def"
    PARTS_COUNT,
};

/* The phases of a session (PROTOCOL.md). Other peers go from NEW to IN.
 *
 *     NEW ──hello──▶ UNAUTHENTICATED ──sign_in──▶ IN
 *                           └──sign_in──▶ UNREGISTERED ──sign_up──▶ IN
 */
enum phase {
    PHASE_NEW = 1,
    PHASE_UNAUTHENTICATED = 2,
    PHASE_UNREGISTERED = 4,
    PHASE_IN = 8,
    PHASE_ANY = 15,
};

/* A request that changes something, and its answer. If the peer repeats the request, it is not
 * carried out again. */
struct answer {
    int64_t request;
    struct payload *payload; /* NULL: the request is not answered yet */
    bool is_waiting;         /* the answer is delayed (struct later) */
    bool is_stored;          /* the answer is on disk, so a restarted core knows it */
};

/* The answers of a connection (parts.h). */
struct answers {
    /* answered requests come first, in the order of their answers, then unanswered ones as they
     * arrived */
    struct answer list[ANSWERS_MAX];
    size_t count;
    size_t bytes;    /* total size of the kept answers */
    int64_t newest;  /* the highest id of an answered request */
    int64_t dropped; /* the highest id of a request whose answer is forgotten */
};

/* The stored answers (parts.h). */
#define ANSWER_PERIODS 8

struct stored_answers {
    struct index unclaimed; /* answers for connections that have not returned yet, by connection */
    int64_t newest_rows[ANSWER_PERIODS]; /* the newest row that was stored in each period; the
                                            oldest period comes first */
    int64_t period_begun_ms;             /* when the current period began */
    size_t period_bytes;                 /* bytes stored in the current period */
};

struct person;

TAILQ_HEAD(conn_list, conn);

struct conn {
    /* the parts' blocks follow the struct and need this alignment */
    _Alignas(max_align_t) int64_t id;
    enum peer peer;
    enum phase phase;
    char address[STORAGE_ADDRESS_SIZE];
    char transport[STORAGE_WORD_SIZE];
    int64_t since_ms;
    const struct layout *layout; /* where each part's block begins: see CONN_STATE */
    char *blocks;
    struct bucket input; /* limits the rate of messages from this connection */
    uint32_t input_excess;
    TAILQ_ENTRY(conn) of_processes; /* unused in a session */
    bool is_unknown; /* somebody has signed in on this connection, but the storage does not know who
                      */
    bool is_unfit;   /* the stored data of the connection are inconsistent (parts.h) */
    /* the person's entry into the house (entry_record) is not stored yet, because the disk is
     * full */
    bool is_unrecorded;
    /* the row that conn_save could not store because the disk is full; its number is 0 if there is
     * none */
    struct storage_connection unsaved;

    /* conn_reset zeroes all following members. */
    bool awaits_hello;  /* the peer was told to resync: its messages are ignored until its next
                           `hello` */
    bool shows_stops;   /* the peer's `hello` said that it shows the stops at the ends of rounds */
    bool follows_lobby; /* the peer is sent every row of the lobby, and all changes */
    bool is_returned;   /* an earlier core has served this connection */
    bool is_lost;       /* output to the peer was dropped, so nothing but `resync` is sent */
    bool is_ending;     /* `bye` was sent to the peer (conn_dismiss) */
    bool was_read_only; /* the peer must still be told that read-only mode is over */
    int64_t heard;      /* the last lobby line that the peer has, as its `hello` said; 0: unknown */
    bool is_query_only; /* the session signed in for queries only and is not in the house
                         * (accounts/accounts.h)
                         */
    bool is_program;    /* the session signed in through the API */
    bool is_answered;   /* the connection is in the house's list `answered` */
    char key_type[STORAGE_KEY_TYPE_SIZE]; /* type of the SSH key whose possession the client has
                                             proved; the key signs in to its account or may be added
                                             to a new account */
    char key_fingerprint[STORAGE_FINGERPRINT_SIZE];
    struct person *person; /* who is signed in (lobby/persons); NULL before PHASE_IN */
    struct answers answers;
    TAILQ_ENTRY(conn) of_answered;
};

/* Defines a function that returns a block of memory, which lies at `place`, as a struct of this
 * type. Used by PART_STATE, CONN_STATE and PERSON_STATE. */
/* NOLINTBEGIN(bugprone-macro-parentheses): this macro makes a function */
#define STATE_FUNCTION(function_name, type, owner, place)                                          \
    static inline type *function_name(const struct owner *owner)                                   \
    {                                                                                              \
        return (void *)(place);                                                                    \
    }                                                                                              \
    _Static_assert(true, "a declaration")
/* NOLINTEND(bugprone-macro-parentheses) */

/* Defines function_name(conn), which returns what a part keeps for a connection: a struct of this
 * type (conn_size in struct part). */
#define CONN_STATE(function_name, type, part)                                                      \
    STATE_FUNCTION(function_name, type, conn, conn->blocks + conn->layout->at[PART_NUMBER_##part])

/* An entry in a part's list of connections. It lies in the memory that the part keeps for the
 * connection. */
struct conn_link {
    struct conn *conn;
    TAILQ_ENTRY(conn_link) in_list;
};

TAILQ_HEAD(conn_links, conn_link);

/* Declares `item` and runs the following block for each connection in a part's list; the block must
 * not remove any connection from the list. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name cannot be in parentheses */
#define LINKED_CONNS_EACH(item, list)                                                              \
    for (const struct conn_link *link_ = TAILQ_FIRST(list), **link_once_ = &link_;                 \
         link_once_ != NULL; link_once_ = NULL)                                                    \
        for (struct conn *item = link_ == NULL ? NULL : link_->conn; item != NULL;                 \
             link_ = TAILQ_NEXT(link_, in_list), item = link_ == NULL ? NULL : link_->conn)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Declares `item` and runs the following block for every connection. */
#define CONNS_EACH(item, house) INDEX_ITEMS_EACH(struct conn, item, &(house)->conns)

/* Declares `item` and runs the following block for every connection that is not a session's: those
 * of the gate, the workers and operators. Sessions may be a thousand times as many. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name cannot be in parentheses */
#define PROCESSES_EACH(item, house)                                                                \
    for (struct conn *item = TAILQ_FIRST(&(house)->processes); item != NULL;                       \
         item = TAILQ_NEXT(item, of_processes))
/* NOLINTEND(bugprone-macro-parentheses) */

/* A refused sign-in whose answer is delayed. */
struct later {
    int64_t due_ms;
    int64_t conn;
    int64_t request;
    struct payload *answer;
    TAILQ_ENTRY(later) in_list;
};

TAILQ_HEAD(delayed_answers_list, later);

/* The work in progress, which is blamed for a fault (parts.h). In each member, 0 or NULL means
 * none. */
struct doing {
    /* what is worked on, such as "table", if its part can give up one such item alone (parts.h) */
    const char *item_kind;
    int64_t item;    /* the number of that item */
    int64_t conn;    /* the number of the connection being served */
    int64_t request; /* the number of the request being carried out */
    size_t part;     /* the number of the part whose hook runs, counted from 1 */
};

struct fault {
    bool is_met;
    struct doing at; /* the work in progress when the fault occurred */
    char why[STORAGE_WHY_SIZE];
};

/* Defines function_name(house), which returns what a part keeps for the house: a struct of this
 * type (house_size in struct part). */
#define PART_STATE(function_name, type, part)                                                      \
    STATE_FUNCTION(function_name, type, house, house->states[PART_NUMBER_##part])

struct house {
    void *states[PARTS_COUNT]; /* the memory of each part: see PART_STATE */
    struct layout conn_layout;
    struct house_config config;
    struct storage *storage;
    int64_t now_ms;
    bool
        is_failed; /* nothing of this pass of the core's loop may be sent, because a write failed */
    char failed_why[STORAGE_WHY_SIZE]; /* the reason for is_failed as one sentence */
    struct doing doing;
    struct fault fault;
    /* while the house is loaded again: the fault of an item that its part must give up at the end
     * of its load; NULL: there is none */
    const struct fault *given_up;
    int64_t part_paused_ms[PARTS_COUNT]; /* until when each part pauses after a fault */
    bool is_full; /* the disk was full in this pass, so nothing of the pass may be sent
                     (parts.h) */
    bool is_read_only;
    bool has_written;         /* this core has already committed something */
    int64_t full_since_ms;    /* when read-only mode began */
    int64_t full_at_start_ms; /* when it began in this core before the core wrote anything, so that
                                 an earlier core may have kept more than is stored; 0: never */
    int64_t room_due_ms;      /* when to check next whether the disk has room */
    struct index conns;       /* by id */
    struct conn_list processes; /* the connections that are not sessions' */
    struct outbox outbox;
    struct delayed_answers_list laters;
    struct conn_list answered; /* connections that were answered in this pass */
    struct stored_answers stored_answers;
    int64_t alive_ms;       /* until when the house was up, as stored */
    int64_t alive_seen_ms;  /* until when the house was up, as far as this core knows */
    int64_t alive_every_ms; /* how many ms of downtime may stay unrecorded, because of the clocks
                               that run (lobby/play); INT64_MAX: no clock runs */
    int64_t alive_due_ms;   /* when a running clock needs the next pass; INT64_MAX: no clock runs */
    int64_t due_ms;         /* when any part needs the next pass, as of the last commit */
    int64_t due_known_ms;   /* now_ms of that commit; -1: the house has worked since then */
};
