#pragma once

#include "lobby/house/hooks.h"
#include "lobby/house/house_state.h"
#include "lobby/house/messages.h"
#include "lobby/house/request.h"

/*
 * The parts of the house. A part is a feature, or a piece of one: it defines
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
    void (*begin)(struct house *house); /* prepares the part's state, once; `load` is called next */
    bool load_writes; /* the hook `load` writes to the storage, so it is skipped while the disk is
                         full */
    /* reads the state from the storage, before any connection is back */
    void (*load)(struct house *house);
    /* forgets what `load` read; `load` or `end` is called next */
    void (*clear)(struct house *house);
    void (*end)(struct house *house); /* frees what the hook `clear` has not freed */

    /* Hooks for the part's own work. A part in which such a hook meets a fault pauses for a while
     * (fault.h). */
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
    unsigned
        listens; /* the kinds of peer (enum peer) for which peer_ready and peer_gone are called */
    void (*peer_ready)(struct house *house, struct conn *peer); /* the peer has sent `hello` */
    void (*peer_gone)(struct house *house, struct conn *peer);

    /* Hooks about sessions. */
    /* adds the part's fields to `welcome` */
    void (*describe)(struct house *house, const struct conn *conn, json_t *message);
    /* a signed-in session has sent `hello` */
    void (*hello)(struct house *house, struct conn *conn, int64_t heard);
    void (*greet)(struct house *house, struct conn *conn); /* the session has just signed in */
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
    /* output to the connection was dropped */
    void (*conn_lost)(struct house *house, struct conn *conn);
    /* the connection has ended; called in reverse order */
    void (*conn_gone)(struct house *house, struct conn *conn);
    /* A session that is stored as connected has not returned after a restart. */
    void (*row_gone)(struct house *house, const struct storage_connection *row);
    /* All connections that survived a restart have returned. conns_survived is false if none
     * survived. */
    void (*settled)(struct house *house, bool conns_survived);

    /* Hooks about a full disk (read_only.h). */
    /* read-only mode begins in a core that has not written anything yet */
    void (*full)(struct house *house);
    /* the disk has room again: the part writes what it kept in memory */
    void (*save)(struct house *house);
    void (*saved)(struct house *house); /* what the hook `save` wrote is committed */

    /* Hooks about downtime, which counts on no player's clock (downtime.h). */
    /* returns how many ms of downtime the part may leave unrecorded */
    int64_t (*max_unrecorded_downtime_ms)(const struct house *house);
    /* the house was down from since_ms until now */
    void (*skip)(struct house *house, int64_t since_ms);
    /* a player waits for what the part does at next_ms: if that is done late, the delay counts as
     * downtime */
    bool is_prompt;

    /* Gives up the item with this number after a fault (fault.h). Its kind is doing.item_kind. */
    void (*give_up)(struct house *house, int64_t number, const char *why);

    /* Shows one sentence from the house to everybody. */
    void (*announce)(struct house *house,
                     json_t *sentence); /* the reference to the sentence is taken over */
    /* sends at once the messages that were held back to limit the pace */
    void (*tell_now)(struct house *house);
};

#define PART(name) extern const struct part name##_part;
#include "lobby/house/parts.def"

extern const struct part *const house_parts[PARTS_COUNT]; /* all parts, in the order of parts.def */

/* Calls this hook of every part, unless it is NULL. The arguments are evaluated anew for each
 * part. */
#define PARTS_CALL(hook, ...) HOOKS_CALL(house_parts, hook, __VA_ARGS__)

/* Functions that call the hooks which PARTS_CALL cannot call. */
void parts_call_begin_hooks(struct house *house);
void parts_call_load_hooks(struct house *house);
void parts_call_end_hooks(struct house *house);

void parts_call_tick_hooks(struct house *house);
void parts_call_flush_hooks(struct house *house);

/* When a part next needs a pass of the core's loop, in Unix ms; INT64_MAX: never. */
struct parts_due {
    int64_t any_ms;    /* any part */
    int64_t prompt_ms; /* a part with is_prompt, for which players wait */
};

/* This asks every part, and several parts look at every table. */
void parts_find_next_due(const struct house *house, struct parts_due *due);

/* Returns the number, from 1, of the part that this kind of worker process serves; 0: none. */
size_t part_number_of_worker(enum peer peer);

void parts_call_peer_ready_hooks(struct house *house, struct conn *peer);
void parts_call_peer_gone_hooks(struct house *house, struct conn *peer);

void parts_call_conn_return_hooks(struct house *house, struct conn *conn,
                                  const struct storage_connection *row);
void parts_call_conn_gone_hooks(struct house *house, struct conn *conn);

int64_t parts_max_unrecorded_downtime_ms(const struct house *house);
