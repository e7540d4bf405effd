#pragma once

#include "games/macros.h"
#include "lobby/house/house_state.h"
#include "lobby/protocol/protocol.h"
#include "storage/accounts/accounts.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For each entry of a list, in order, calls this hook of the entry, unless the entry's hook is
 * NULL. The list is an array of pointers to structs of hooks, such as parts or listeners, and comes
 * from a .def file. */
#define HOOKS_CALL(list, hook, ...)                                                                \
    do {                                                                                           \
        for (size_t i_ = 0; i_ < ARRAY_LEN(list); i_++)                                            \
            (list)[i_]->hook == NULL ? (void)0 : (list)[i_]->hook(__VA_ARGS__);                    \
    } while (false)

struct table;

/* A message that is being carried out. */
struct request {
    struct house *house;
    struct conn *conn; /* the connection that sent it */
    int64_t id;        /* the request's number, which its answer repeats; 0: the message is no
                          request */
    json_t *body; /* the whole message, borrowed; NULL when the request gets a delayed answer */

    /* What the checks of the message's needs (request_need) have found. */
    struct table *table;
    int seat; /* a seat at `table` */
};

/*
 * Messages from peers to the core. Each message is one line of lobby/protocol/messages.def, which
 * says what is checked before the message is carried out, and one function message_TYPE, in any
 * file of lobby/, which carries it out. If the message is a request, the function answers it
 * exactly once, now or later. The function may set conn->is_ending.
 */

/* The flags of a line in messages.def. */
enum message_flags {
    NO_FLAGS = 0,
    /* the message changes nothing: its answer is not kept, a repeated message is
     * carried out again, and the message is allowed while the disk is full */
    READS_ONLY = 1,
    WHILE_FULL = 2, /* the message changes little, and is allowed while the disk is full */
    ENTERS = 4,     /* the message moves its connection to another phase */
    COSTLY = 8,     /* the rate limit counts the message as LIMIT_LEADERS_COST messages */
    IDLE = 16, /* the message may come without anybody at the keyboard, so the person stays idle */
};

/* Checks something that a request needs before its handler runs, such as a table where no game is
 * on. The part that can check this defines the function need_NAME, and each line of messages.def
 * names the needs of its message. If the need is not met, the function refuses the request and
 * returns false. It may also store in the request what it found. */
typedef bool request_need(struct request *request);

#define NEEDS_MAX 9

/* One line of messages.def. */
struct message_def {
    const char *type;
    unsigned peers;  /* peers that may send the message (enum peer) */
    unsigned phases; /* phases in which the message may be sent (enum phase) */
    unsigned flags;
    const char *commands;
    void (*run)(const struct request *request);
    request_need *needs[NEEDS_MAX + 1]; /* what the message needs; the list ends with NULL */
};

#define NEED(name) request_need need_##name;
#define MESSAGE(type, peers, phases, flags, commands, ...)                                         \
    void message_##type(const struct request *request);                                            \
    __VA_ARGS__
#include "lobby/protocol/messages.def"

/* The messages in the order of messages.def; after the last, `type` is NULL. The list is in
 * lobby/mod, since this folder knows the functions of other folders only by it. */
extern const struct message_def message_list[];

/* Parses one packet, checks it against messages.def and carries it out. Returns false when the peer
 * broke the protocol and its connection ends. */
bool message_receive(struct house *house, struct conn *conn, const char *bytes,
                     size_t len) MUST_CHECK;

/*
 * The parts of the house. A part is a subject, such as the talk: it defines
 *
 *     const struct part NAME_part = {.name = …, .load = …, …};
 *
 * and has one line in parts.def. The kernel (lobby/house/) knows features by these definitions
 * alone. A hook that is NULL does nothing. Hooks are called in the order of parts.def unless a
 * hook's comment says otherwise.
 */
struct part {
    const char *name; /* the part's name in the log */

    /* What the part keeps about the house: a block of memory of its own, zeroed at first, which
     * lives as long as the house (PART_STATE in house_state.h). */
    size_t house_size;
    /* size of a block in every connection, zeroed when the connection begins and when the house is
     * rebuilt (CONN_STATE) */
    size_t conn_size;
    /* Prepares the part's state and reads it from the storage, before any connection is back.
     * Writes nothing while the disk is full. What was kept in memory while the disk was full
     * (`save`) is stored once the house is loaded without read-only mode. */
    void (*load)(struct house *house);
    /* Forgets and frees what `load` read, before `load` is called again or the house ends
     * (is_failed is then set). Also called if `load` was not reached. */
    void (*clear)(struct house *house);

    /* Hooks for the part's own work. A part in which such a hook meets a fault pauses for a while,
     * unless an item is blamed (fault_blame_item). */
    bool works_when_full; /* the hooks `tick` and `flush` are also called while the disk is full */
    void (*tick)(struct house *house); /* called at every house_tick */
    /* called at the end of each pass of the core's loop: writes and sends what is due */
    void (*flush)(struct house *house);
    /* returns when the part needs its next pass of the loop, in Unix ms, not before house->now_ms;
     * INT64_MAX: never */
    int64_t (*next_ms)(const struct house *house);

    /* passes the gauges of the part to metrics_count (metrics.h) */
    void (*measure)(const struct house *house);

    /* Hooks about peers that are other processes. */
    enum peer helper; /* the worker process that serves this part; 0: none */
    unsigned listens; /* the kinds of peer (enum peer) for which peer_ready is called */
    void (*peer_ready)(struct house *house, struct conn *peer); /* the peer has sent `hello` */

    /* Hooks about sessions. */
    /* adds the part's fields to `welcome` */
    void (*describe)(struct house *house, const struct conn *conn, json_t *message);
    /* a signed-in session has sent `hello` */
    void (*hello)(struct house *house, struct conn *conn);
    /* the session's person has done something, so they are not idle */
    void (*active)(struct house *house, struct conn *conn);
    /* sets the part's columns in the connection's stored row */
    void (*conn_row)(const struct conn *conn, struct storage_connection *row);
    /* A connection has returned after a restart of the core. If the hook returns false, the
     * connection is not signed in again, and later parts are not called. */
    bool (*conn_return)(struct house *house, struct conn *conn,
                        const struct storage_connection *row);
    /* A person may soon be in the house, through a connection as this row describes it (0 and "":
     * not known). Makes the reads that the part will make then, in the same words; they find
     * nothing now (storage_read_ahead_begin). */
    void (*read_ahead)(struct house *house, const struct storage_connection *row);
    /* the connection, of whatever peer, has ended; called in reverse order */
    void (*conn_gone)(struct house *house, struct conn *conn);
    /* A session that is stored as connected has not returned after a restart. */
    void (*row_gone)(struct house *house, const struct storage_connection *row);
    /* All connections that survived a restart have returned. conns_survived is false if none
     * survived. */
    void (*settled)(struct house *house, bool conns_survived);

    /* Hooks about a full disk. */
    /* the disk has room again: the part writes what it kept in memory */
    void (*save)(struct house *house);

    /* Hooks about downtime, which counts on no player's clock. */
    /* the house was down from since_ms until now */
    void (*skip)(struct house *house, int64_t since_ms);
    /* a player waits for what the part does at next_ms: if that is done late, the delay counts as
     * downtime */
    bool is_prompt;

    /* sends at once the messages that were held back to limit the pace */
    void (*tell_now)(struct house *house);
};

#define PART(name) extern const struct part name##_part;
#include "lobby/house/parts.def"

extern const struct part *const house_parts[PARTS_COUNT]; /* all parts, in the order of parts.def */

/* Calls this hook of every part, unless it is NULL. The arguments are evaluated anew for each
 * part. */
#define PARTS_CALL(hook, ...) HOOKS_CALL(house_parts, hook, __VA_ARGS__)

/* Make and free what the parts keep about the house. */
void parts_make_states(struct house *house);
void parts_free_states(struct house *house);

/*
 * Every request is answered exactly once. Each connection keeps the answers to its last ANSWERS_MAX
 * requests, up to ANSWERS_BYTES_MAX bytes; answers to requests that only read (READS_ONLY in
 * messages.def) are not kept. A request that is repeated after a resync gets the same answer and is
 * not carried out again. A restarted core still has the kept answers. A peer
 * with no more than ANSWERS_MAX unanswered requests never needs an answer that is no longer kept.
 */

/* Marks the request as one that only reads: its answer is not kept, and a repeated request is
 * carried out again. Must be called before the request is answered. */
void answer_mark_request_read_only(const struct request *request);

/* Answers the request with `ok` and the members of `fields`, which is an object or NULL. Takes over
 * the reference to `fields`. */
void answer_ok(const struct request *request, json_t *fields);

/* Refuses the request. `code` is one word for programs. The format and its arguments make one
 * sentence for people, as with say(). Returns false, for callers to return. */
bool answer_no(const struct request *request, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses the request with a finished sentence (say.h), whose reference is taken over. Returns
 * false. */
bool answer_no_with_sentence(const struct request *request, const char *code, json_t *why);

/* Refuses the request with the code `wait`: it may be repeated in wait_s seconds. Returns false. */
bool answer_retry_later(const struct request *request, int64_t wait_s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Records a refusal as the answer to a request that the peer will repeat after `resync`. */
void answer_record_refusal(struct conn *conn, int64_t request_id, const char *code,
                           const char *why);

/* Refuses a sign-in, with the same sentence for every reason. The refusal is sent door_denial_ms
 * after the attempt began, or later, so that the time tells nothing about the reason. */
void answer_deny_sign_in(const struct request *request, int64_t attempt_begun_ms);

/* Sends the delayed answers whose time has come. */
void answers_send_due(struct house *house);

/* Returns when a delayed answer is due; INT64_MAX: none is delayed. */
int64_t answers_next_due_ms(const struct house *house);

/* Records an answer that an earlier core has sent. Keeps its own reference to the payload. */
void answers_restore_answer(struct answers *answers, int64_t request_id, struct payload *payload);

/* Forgets all answers of a connection. */
void answers_forget_all(struct answers *answers);

/* Opening, storing and ending connections of every kind of peer, and sending messages to them. */

struct conn *conn_find(struct house *house, int64_t id);

/* True for a session over telnet, which is not encrypted. */
bool conn_is_telnet(const struct conn *conn);

/* Stored in place of the name of PHASE_IN when the session signed in for queries only, or through
 * the API. */
#define CONN_PHASE_ASKS "asks"
#define CONN_PHASE_PROGRAM "program"

/* Stores the session's phase and person for a restarted core. Does nothing for a session that is
 * ending. */
void conn_save(struct house *house, struct conn *conn);

/* Returns the name of the phase in `welcome` and in the storage, such as "door". */
const char *phase_name(enum phase phase);

/* Queues a message to the connection. Takes over the reference to the message. */
void conn_send(struct house *house, const struct conn *conn, json_t *message);

/* Queues a message to the connection. The queue keeps its own reference to the payload. */
void conn_send_payload(struct house *house, const struct conn *conn, struct payload *payload);

/* Sends one sentence (say.h) as a notice of kind "info" or "warn". */
void conn_send_notice(struct house *house, const struct conn *conn, const char *kind,
                      json_t *sentence);

/* Sends the message `sent_out`, which says that the connection is no longer at the table with this
 * number, and why. */
void conn_notify_removed_from_table(struct house *house, const struct conn *conn,
                                    int64_t table_number, json_t *why);

/* Sends `bye` with the reason, and ends the connection after this pass of the core's loop. If the
 * core dies before that, a restarted core sends the `bye` again. */
void conn_dismiss(struct house *house, struct conn *conn, json_t *why);

/*
 * Stores until when the house was up, so that no player's clock runs during downtime: after a
 * crash, after a shutdown, or while the machine slept. The time is stored along with other writes
 * and, while a clock runs, at least every DOWNTIME_LIVE_MS or DOWNTIME_DAYS_MS. After a crash, the
 * time since the last such write counts as downtime too.
 */
#define DOWNTIME_LIVE_MS 1000 /* how often the time is stored while a live game's clock runs */
#define DOWNTIME_DAYS_MS 20000
/* if a pass of the core's loop begins later than planned by more than this, the time since the
 * previous pass is downtime */
#define DOWNTIME_LATE_MS 1000

/*
 * Handles faults. In a fault the disk works, but a write is refused, or a required row is missing,
 * because the data of one table, account or request are inconsistent. A fault costs only
 * this table, account or request, never the house. The pass of the core's loop is undone, and the
 * house is rebuilt from the data, as after a full disk. The work in progress at the
 * fault is then given up: a table is closed before its connections return to it; otherwise
 * a request is answered `no` `failed`; otherwise a connection ends; otherwise a part of the house
 * rests for FAULT_REST_MS. The log names the fault, and the lobby is told when a table is closed. A
 * failing disk or a damaged file is no such fault: then the core ends.
 */

#define FAULT_REST_MS 600000

/* From now on, an item such as table 7 ("table", 7) is blamed for every fault; with number 0, no
 * item is. Returns the previous house->doing, which the caller restores later. */
struct doing fault_blame_item(struct house *house, const char *item_kind, int64_t item_number);

/* Called during a rebuild. If the part has met a fault, logs the fault and forgets it, so that the
 * rebuild continues without what the part wanted to write. */
void fault_log_and_continue(struct house *house, const char *part_name);

/*
 * Events for the log (house_config.log): sign-ins and their method, refused sign-ins, changes to
 * accounts, mutes. The log never contains what was said, played or typed. It never contains a name
 * that no account has, since some people type their password as their name.
 */

/* Logs an event of a connection. `pairs` has alternating keys and values, ended by NULL
 * (JOURNAL_PAIRS). A key whose value is NULL is left out. */
void journal_write(const struct house *house, const struct conn *conn, const char *event,
                   const char *const *pairs);

/* Logs an event of the house itself. */
void journal_write_house_event(const struct house *house, const char *event,
                               const char *const *pairs);

#define JOURNAL_PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A number as a value in JOURNAL_PAIRS. */
#define JOURNAL_NUMBER_SIZE 24
#define JOURNAL_NUMBER(number) journal_write_number((char[JOURNAL_NUMBER_SIZE]){0}, number)
const char *journal_write_number(char out[JOURNAL_NUMBER_SIZE], int64_t number);

/* Logs and counts a refused sign-in. `account` is the name of an account, or NULL if no account has
 * the name that was given. */
void journal_write_denied_sign_in(const struct house *house, const struct conn *conn,
                                  const char *method, const char *account, const char *why);

/*
 * Memory allocation. When memory is out, the process aborts. Nothing of this pass of the core's
 * loop has been sent then, and a restarted core continues from the stored data.
 */

/* Returns zeroed memory, to be released with free(). */
void *memory_new(size_t size);

/* Makes room for an item at index `count`. Returns `items`, or a larger copy of it with *cap
 * raised; the old array is then freed. */
void *memory_grow(void *items, size_t count, size_t *cap, size_t item_size);

/* Returns the pointer, which comes from a library's allocation; aborts when it is NULL. */
void *memory_check_allocated(void *allocated);

/*
 * Counts what happens in the house for the metrics of metrics.def. The house keeps no numbers
 * itself: it passes each to house_config.measure. A pass of the core's loop that is undone
 * may be counted twice.
 */

/* Adds `count` to a counter or a gauge. `a` and `b` are values of its labels, NULL for the label
 * `none`. A gauge may only be added to by the hook `measure` of a part (parts.h). */
void metrics_count(const struct house *house, enum house_metric metric, const char *a,
                   const char *b, size_t count);

/* Adds a duration to a histogram without labels. A negative duration counts as 0. */
void metrics_observe_ms(const struct house *house, enum house_metric metric, int64_t duration_ms);

/*
 * Reads that all parts make when a person enters or returns, made ahead in one go (the hook
 * `read_ahead` in parts.h). A person has about twenty of them, and with a database on another
 * machine each would otherwise be waited for. Does nothing where reads need no waiting
 * (storage_read_ahead_begin).
 */

/* For the first 500 of those who had a connection when the last core ended: they will return, or
 * sign in again. */
void read_ahead_for_returning(struct house *house);

/* For the people of connections as these rows describe them. Costs nothing if it was done just
 * before. */
void read_ahead(struct house *house, const struct storage_connection *rows, size_t count);

/*
 * Read-only mode, while the disk is full. The pass of the core's loop that found no room is undone:
 * the house rebuilds itself from the storage and makes everybody resync. Until there is room again,
 * people can look but change nothing, no clock runs out, and no bot moves. People can still enter,
 * as guests or with an existing account. Sign-ins, and waits after wrong passwords, are kept in
 * memory until they can be stored. One-time codes of any kind cannot be used meanwhile.
 *
 * A write that finds no room begins read-only mode. Every READ_ONLY_RETRY_MS the house checks
 * whether there is room again; if so, the mode ends.
 */
#define READ_ONLY_RETRY_MS 3000

/* Begins read-only mode after a write that found no room. Returns false when the storage cannot be
 * read either. */
bool read_only_begin(struct house *house) MUST_CHECK;

/* Clears and loads the house, and restores the connections. */
bool rebuild_house(struct house *house) MUST_CHECK;

/* Refuses a request because it would change something. */
void read_only_refuse(const struct request *request);

/* Tells a session, after `welcome`, that the disk is full or has room again. */
void read_only_notify_session(struct house *house, struct conn *conn);

/* Sessions whose connection has survived the end of a core. The storage knows who was signed in on
 * each of them. */

/* Restores the phase, person and table of a stored connection. Nothing is sent to the connection
 * before its `hello`. A connection that is not stored stays as it is. */
void returning_restore_conn(struct house *house, struct conn *conn);

/* Forgets the stored connections that have not returned. */
void returning_forget_gone_conns(struct house *house);

/* Returns the role as messages spell it: "player", "mod" or "admin". */
const char *role_name(enum storage_role role);

/* Returns the role as people read it. The caller translates it. */
const char *role_display_name(enum storage_role role);

/* Returns what messages call an account of this kind: "player" or "bot". */
enum person_kind person_kind_of_account(enum storage_kind kind);

/*
 * The source of a connection: an IPv4 address, or the IPv6 /64 network that one household has to
 * itself. Limits apply to a source as a whole.
 */

/* Writes the source of an address, without "/64". An IPv4 address mapped into IPv6 becomes IPv4.
 * Text that is not an address stays unchanged. */
void source_write_from_address(const char *address, char source[STORAGE_ADDRESS_SIZE]);

/* Returns true if `source`, which may also be an address, is the house's own machine. */
bool source_is_local(const char *source);

/*
 * Checks the result of a call to the storage. Returns true after STORAGE_OK. NOT_FOUND and TAKEN
 * are left to the caller. After any other result this pass of the core's loop cannot be committed,
 * and house_commit reacts: a full disk makes the house read-only, refused data are a fault, and a
 * failing disk or a damaged file ends the core.
 */
bool stored(struct house *house, enum storage_result result) MUST_CHECK;

/* Checks the result of a storage call that must succeed: NOT_FOUND and TAKEN count as faults,
 * too. */
void stored_or_fail(struct house *house, enum storage_result result);

/* Checks the result of a read that is made ahead (storage_read_ahead_begin), and so finds nothing
 * now. */
void stored_ahead(struct house *house, enum storage_result result);

/* Checks the result of a storage call that must succeed. A fault is blamed on the item of this kind
 * and number. */
void stored_or_fail_item(struct house *house, const char *item_kind, int64_t item_number,
                         enum storage_result result);

/* Returns false if this pass cannot be committed any more, so that long work can stop early. */
bool stored_can_commit(const struct house *house);

/*
 * The answers to sessions' requests are committed together with the effects of the requests. If a
 * core ends after the commit and before it has sent anything, the next core knows the answers.
 * Answers may be private (a recovery code), so they are encrypted with house_config's answers_key,
 * which is in no file. One row contains all answers of a commit, one a line: the connection, the
 * request and, unless it is an `ok` without fields, the answer. The oldest rows are deleted once
 * two minutes have passed or two megabytes of answers have followed, whichever comes first; no
 * session needs older answers.
 */

/* Reads the answers that an earlier core stored. */
void stored_answers_load(struct house *house);

/* Forgets the answers that no session has claimed. */
void stored_answers_forget_unclaimed(struct house *house);

/* Forgets these and all delayed answers. */
void answers_clear(struct house *house);

/* Stores the new answers in the commit that follows. Does nothing when there is nothing to
 * commit. */
void stored_answers_write(struct house *house);

/* Gives a returning session the answers that an earlier core stored for it. */
void stored_answers_claim(struct house *house, struct conn *conn);
