#ifndef LOBBY_HOUSE_PARTS_H
#define LOBBY_HOUSE_PARTS_H

#include "lobby/house/house_state.h"
#include "lobby/house/messages.h"

/*
 * The parts of the house. A part is a feature, or a piece of one: it defines
 *
 *     const struct part NAME_part = {.name = …, .load = …, …};
 *
 * and has one line in parts.def. The kernel (lobby/house/) knows features by these definitions
 * alone. A hook that is NULL does nothing. Hooks are called in the order of parts.def unless they
 * say otherwise.
 */
struct part {
    const char *name; /* for the log */

    /* The part's state. */
    bool load_writes;                   /* then `load` is left out while the disk is full */
    void (*load)(struct house *house);  /* reads it from the storage; no connection is back yet */
    void (*clear)(struct house *house); /* forgets it; `load` follows, or the end */
    void (*end)(struct house *house);   /* frees what outlives `clear` */

    /* What the part does by itself. A part whose work has met a fault of its own rests for a while
     * (fault.h). */
    bool works_when_full;                          /* also while the disk is full */
    void (*tick)(struct house *house);             /* time has passed */
    void (*flush)(struct house *house);            /* the turn ends: writes and tells what is due */
    int64_t (*next_ms)(const struct house *house); /* when it wants a turn, unix ms; INT64_MAX */

    /* Other processes. */
    enum peer helper; /* does a piece of this part's work; 0: none does */
    unsigned listens; /* enum peer, or-ed: whose coming and going the next two hear of */
    void (*peer_ready)(struct house *house, struct conn *peer); /* it said hello */
    void (*peer_gone)(struct house *house, struct conn *peer);

    /* Sessions. */
    void (*describe)(struct house *house, const struct conn *conn,
                     json_t *message);                                    /* adds to `welcome` */
    void (*hello)(struct house *house, struct conn *conn, int64_t heard); /* in, said hello */
    void (*greet)(struct house *house, struct conn *conn);  /* has just come in, after hello */
    void (*active)(struct house *house, struct conn *conn); /* somebody is at the keyboard */
    /* May the request be carried out? If not, the part has answered it. */
    bool (*admit)(struct house *house, struct conn *conn, int64_t request,
                  const struct message_def *message);
    void (*conn_row)(const struct conn *conn, struct storage_connection *row); /* fills its part */
    /* A connection is back after a restart of the core. False: it stays out, with no later part
     * asked. */
    bool (*conn_return)(struct house *house, struct conn *conn,
                        const struct storage_connection *row);
    void (*conn_lost)(struct house *house, struct conn *conn); /* its output was dropped */
    void (*conn_gone)(struct house *house, struct conn *conn); /* it ended; last part first */
    /* A connection that was stored did not come back. */
    void (*row_gone)(struct house *house, const struct storage_connection *row);
    /* All that come back after a restart have; false: none did. */
    void (*settled)(struct house *house, bool has_survivors);

    /* A full disk (read_only.h). */
    void (*full)(struct house *house);  /* it begins, and this core has never written anything */
    void (*save)(struct house *house);  /* there is room: writes what was kept in memory */
    void (*saved)(struct house *house); /* and that is committed */

    /* Time that nobody is charged for (downtime.h). */
    int64_t (*mark_every_ms)(const struct house *house); /* how much of it may go unrecorded */
    void (*skip)(struct house *house, int64_t since_ms); /* the time since then was downtime */
    bool is_prompt; /* next_ms is when somebody is waiting for the house: later is downtime */

    /* Faults (fault.h): the item of this number, as doing.item says, cannot go on. */
    void (*give_up)(struct house *house, int64_t number, const char *why);

    /* One line of the house that everybody is to read. */
    void (*announce)(struct house *house, const char *text);
    void (*tell_now)(struct house *house); /* tells at once what waits for its pace */
};

#define PART(name) extern const struct part name##_part;
#include "lobby/house/parts.def"

void parts_load(struct house *house);
void parts_clear(struct house *house);
void parts_end(struct house *house);

void parts_tick(struct house *house);
void parts_flush(struct house *house);

/* When some part wants a turn, unix ms; INT64_MAX: none does. With `is_prompt` of the parts that
 * are prompt alone. */
int64_t parts_next_ms(const struct house *house, bool is_prompt);

/* The number, from 1, of the part that such a peer helps; 0: none. */
size_t part_of_peer(enum peer peer);

/* The name of the part of that number; borrowed for good. */
const char *part_name(size_t number);

void parts_peer_ready(struct house *house, struct conn *peer);
void parts_peer_gone(struct house *house, struct conn *peer);

void parts_conn_describe(struct house *house, const struct conn *conn, json_t *message);
void parts_conn_hello(struct house *house, struct conn *conn, int64_t heard);
void parts_conn_greet(struct house *house, struct conn *conn);
void parts_conn_active(struct house *house, struct conn *conn);
void parts_conn_row(const struct conn *conn, struct storage_connection *row);
void parts_conn_return(struct house *house, struct conn *conn,
                       const struct storage_connection *row);
void parts_conn_lost(struct house *house, struct conn *conn);
void parts_conn_gone(struct house *house, struct conn *conn);
void parts_row_gone(struct house *house, const struct storage_connection *row);
void parts_settled(struct house *house, bool has_survivors);

/* False when a part has refused the request, and answered it. */
bool parts_admit(struct house *house, struct conn *conn, int64_t request,
                 const struct message_def *message) MUST_CHECK;

void parts_full(struct house *house);
void parts_save(struct house *house);
void parts_saved(struct house *house);

int64_t parts_mark_every_ms(const struct house *house);
void parts_skip(struct house *house, int64_t since_ms);

void parts_give_up(struct house *house, int64_t number, const char *why);

void parts_announce(struct house *house, const char *text);
void parts_tell_now(struct house *house);

#endif
