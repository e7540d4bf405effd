#pragma once

#include "games/macros.h"
#include "storage/storage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The shared house: accounts, presence, chat, tables, clocks, ratings. It uses no socket and no
 * terminal, and gets time and random bytes from its caller alone, so the same inputs always give
 * the same outputs. In each pass of its event loop, the core gives the house the messages that have
 * arrived and then calls house_commit. Outgoing messages are queued and released only after
 * house_commit, and only once the transaction is durable (storage_settle), so nobody learns of
 * anything that a failure could undo.
 */
struct house;

enum peer {
    PEER_SESSION = 1,
    PEER_BOT = 2,
    PEER_AUTH = 4,
    PEER_GATE = 8,
    PEER_KEEPER = 16,   /* the keeper: a part of the core's process that backs up its data */
    PEER_OPERATOR = 32, /* a program that the owner of the data runs */
    PEER_HOOK = 64,     /* the process that sends webhooks */
    PEER_ANY = 127,
};

#define HOUSE_KEY_BYTES 32

/* What the house counts: the lines of metrics.def. */
enum house_metric {
#define COUNTER(name, a, b, help) HOUSE_METRIC_##name,
#define GAUGE(name, a, b, help) HOUSE_METRIC_##name,
#define HISTOGRAM(name, a, b, help) HOUSE_METRIC_##name,
#include "lobby/house/metrics.def"
#undef COUNTER
#undef GAUGE
#undef HISTOGRAM
    HOUSE_METRIC_COUNT,
};

/* Settings of a house, and the functions it needs from outside. */
struct house_config {
    /* One member SECTION_KEY for each line of settings.def. Its type is uint32_t, bool, or a string
     * that the house borrows for its lifetime. */
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) uint32_t section##_##key;
#define CONFIG_SWITCH(section, key, value, help) bool section##_##key;
#define CONFIG_TEXT(section, key, value, form, help) const char *section##_##key;
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
    /* Logs an event (parts.h). The pairs are alternating keys and values, ended by NULL and
     * borrowed for the call. Values are as people typed them. Without this function there is no
     * log. */
    void (*log)(void *context, int64_t conn, const char *event, const char *const *pairs);
    void *log_context;
    /* Adds an amount to a metric; for a histogram, the amount is a duration in microseconds. `a`
     * and `b` are values of the metric's labels (metrics.def), NULL for the label `none`; both are
     * borrowed for the call. Without this function, nothing is counted. */
    void (*measure)(void *context, enum house_metric metric, const char *a, const char *b,
                    uint64_t amount);
    void *measure_context;
    void *random_context;
    /* fills `bytes` with `len` cryptographic random bytes */
    void (*random)(void *context, void *bytes, size_t len);
    /* The key that encrypts stored answers (parts.h). All cores that serve the same
     * connections need the same key. */
    uint8_t answers_key[HOUSE_KEY_BYTES];
};

/* Returns a configuration with every setting at its default; `random` is the system's generator. */
struct house_config house_config_default(void);

enum house_result {
    HOUSE_OK = 0,
    HOUSE_STORAGE_FAILED, /* nothing of this pass may be sent: end this core and start a new one
                             from the stored data */
    HOUSE_END_CONNECTION, /* the peer broke the protocol: close its connection */
};

/* Loads the house from the storage; open tables are replayed and continue. The storage is
 * borrowed and must outlive the house. Returns NULL when the data cannot be read (`unreadable`
 * in the log). */
struct house *house_new(const struct house_config *config, struct storage *storage, int64_t now_ms);
void house_free(struct house *house);

/* A peer has connected. `conn` is unique among open connections. For sessions it is the gate's
 * number, and a session that the storage knows as signed in is signed in again (core restart).
 *
 * Nothing is sent before the peer's `hello`. To a peer that outlived a core, the caller itself
 * sends `resync` first and drops what the peer had sent to the old core. Workers and the gate may
 * repeat `hello` at any time (after their restart): their open jobs are pushed again. */
enum house_result house_connect(struct house *house, int64_t now_ms, int64_t conn, enum peer peer,
                                const char *address, const char *transport) MUST_CHECK;
enum house_result house_disconnect(struct house *house, int64_t now_ms, int64_t conn) MUST_CHECK;

/* Handles one packet from a peer; the bytes are borrowed for the call. After HOUSE_END_CONNECTION
 * the caller calls house_disconnect. The gate's messages `connection` and `connections_end` are
 * handled here too, after the caller's house_connect. */
enum house_result house_receive(struct house *house, int64_t now_ms, int64_t conn,
                                const char *bytes, size_t len) MUST_CHECK;

/* Must be called after output to this peer was dropped. The house sends the peer `resync`, and then
 * nothing until the peer sends `hello`. Messages that were queued before come out first: the caller
 * must not send them, since a message before them is missing. A `bye` among them still ends the
 * connection. */
void house_note_output_dropped(struct house *house, int64_t conn);

/* Does all work that is due at now_ms, such as acting on clocks that have run out and making the
 * bots' moves. Call it at the time that house_next_tick_ms returns; additional calls are
 * harmless. */
enum house_result house_tick(struct house *house, int64_t now_ms) MUST_CHECK;

/* Returns when the next house_tick is due, in Unix ms; INT64_MAX when nothing is due. */
int64_t house_next_tick_ms(const struct house *house);

/* Commits the pass of the core's loop. After HOUSE_OK the messages of all durable turns may be
 * taken: with SQLite all queued messages, otherwise perhaps only those of earlier passes. Call it
 * again when storage_settle is to be called (storage_sockets), even if nothing has arrived. If the
 * disk is full, the pass and all its messages are undone, and the house is read-only until it finds
 * room again (parts.h). If the pass met inconsistent data, it is undone as well, and the item
 * at fault is given up (parts.h). */
enum house_result house_commit(struct house *house) MUST_CHECK;

/* While so many turns are not durable, the caller receives nothing for the house. */
#define HOUSE_UNSETTLED_TURNS_MAX 64

/* Returns how many of the committed turns were not durable at the last house_commit; 0: no message
 * waits. With SQLite always 0 after house_commit. */
uint64_t house_count_unsettled_turns(const struct house *house);

/* Returns the reason for HOUSE_STORAGE_FAILED as one sentence; "" when nothing has failed.
 * Borrowed. */
const char *house_failure_reason(const struct house *house);

/* One message to send; `json` is borrowed until the next call on the house. A `bye` is the last
 * message of a session: the caller then ends the connection, even if the message could not be
 * sent. */
struct house_output {
    int64_t conn;
    const char *json;
    size_t len;
};

/* Returns 1 and the next message, or 0 when no message of a durable turn is left. Call it only
 * between house_commit and the next input. */
int house_output(struct house *house, struct house_output *output);

/* Passes the present values of all gauges (metrics.def) to house_config.measure, which adds them
 * up. */
void house_measure(const struct house *house);

/* Finds out, on a copy of the data, whether a core could start with these data, and which tables or
 * parts would lose something. */

/* Receives one sentence about a loss: something that a house with these data would close or leave
 * out. The sentence is borrowed. */
typedef void house_check_report(void *context, const char *words);

/* Opens a house on the storage as a core does, and runs its pending work, which changes the
 * storage. Returns false, with the reason as one sentence in `why`, when no core could start. */
bool house_check(struct storage *storage, int64_t now_ms, house_check_report *report_finding,
                 void *context, char why[STORAGE_WHY_SIZE]) MUST_CHECK;
