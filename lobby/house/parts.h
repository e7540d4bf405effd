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
 * alone. A hook that is NULL does nothing. Hooks are called in the order of parts.def unless they
 * say otherwise.
 */
struct part {
    const char *name; /* named in the log */

    /* The part's state: a block of its own, which starts out zeroed and lives as long as the house
     * (PART_STATE in house_state.h). */
    size_t house_size;
    size_t conn_size; /* a block in every connection, zeroed when the connection comes and when the
                         house is loaded anew (CONN_STATE) */
    void (*begin)(struct house *house); /* makes the state ready, once; `load` follows */
    bool load_writes;                   /* `load` writes: it is skipped while the disk is full */
    void (*load)(struct house *house);  /* reads the state; no connection is back yet */
    void (*clear)(struct house *house); /* forgets the state; `load` or `end` follows */
    void (*end)(struct house *house);   /* frees what `clear` leaves */

    /* The part's own work. A part that meets a fault in it rests for a while (fault.h). */
    bool works_when_full;               /* `tick` and `flush` run while the disk is full, too */
    void (*tick)(struct house *house);  /* called as time passes */
    void (*flush)(struct house *house); /* the turn ends: writes and sends what is due */
    int64_t (*next_ms)(const struct house *house); /* its next turn, unix ms; INT64_MAX */

    /* Other processes. */
    enum peer helper; /* the kind of worker that serves this part; 0: none */
    unsigned listens; /* enum peer flags: the peers that the next two hooks are called for */
    void (*peer_ready)(struct house *house, struct conn *peer); /* the peer has said hello */
    void (*peer_gone)(struct house *house, struct conn *peer);

    /* Sessions. */
    void (*describe)(struct house *house, const struct conn *conn,
                     json_t *message);                                    /* adds to `welcome` */
    void (*hello)(struct house *house, struct conn *conn, int64_t heard); /* in, and said hello */
    void (*greet)(struct house *house, struct conn *conn);  /* has just come in, after hello */
    void (*active)(struct house *house, struct conn *conn); /* somebody is at the keyboard */
    void (*conn_row)(const struct conn *conn, struct storage_connection *row); /* fills its part */
    /* A connection has returned after a restart of the core. False keeps it out; later parts are
     * not asked. */
    bool (*conn_return)(struct house *house, struct conn *conn,
                        const struct storage_connection *row);
    void (*conn_lost)(struct house *house, struct conn *conn); /* its output was dropped */
    void (*conn_gone)(struct house *house, struct conn *conn); /* it ended; last part first */
    /* A stored connection has not returned. */
    void (*row_gone)(struct house *house, const struct storage_connection *row);
    /* All surviving connections have returned after a restart; has_survivors is false when there
     * were none. */
    void (*settled)(struct house *house, bool has_survivors);

    /* A full disk (read_only.h). */
    void (*full)(struct house *house);  /* read-only mode begins, and this core has never written */
    void (*save)(struct house *house);  /* there is room again: writes what was kept in memory */
    void (*saved)(struct house *house); /* those writes are committed */

    /* Downtime, which is charged to nobody (downtime.h). */
    int64_t (*mark_every_ms)(const struct house *house); /* how much of it may go unrecorded */
    void (*skip)(struct house *house, int64_t since_ms); /* the time since since_ms was downtime */
    bool is_prompt; /* somebody waits for next_ms: a later turn counts as downtime */

    /* A fault (fault.h): gives up the item of this number, of the kind in doing.item_kind. */
    void (*give_up)(struct house *house, int64_t number, const char *why);

    /* Shows everybody one line from the house. */
    void (*announce)(struct house *house, json_t *sentence); /* takes over the reference */
    void (*tell_now)(struct house *house); /* sends at once what is held back for pacing */
};

#define PART(name) extern const struct part name##_part;
#include "lobby/house/parts.def"

extern const struct part *const house_parts[PARTS_COUNT]; /* in the order of parts.def */

/* Calls that hook of every part that has it. The arguments are evaluated for each of them. */
#define PARTS_CALL(hook, ...) HOOKS_CALL(house_parts, hook, __VA_ARGS__)

/* The following call the hooks that need more than PARTS_CALL. */
void parts_begin(struct house *house);
void parts_load(struct house *house);
void parts_end(struct house *house);

void parts_tick(struct house *house);
void parts_flush(struct house *house);

/* When some part wants a turn, unix ms; INT64_MAX: none does. With `is_prompt`, only parts with
 * is_prompt count. */
int64_t parts_next_ms(const struct house *house, bool is_prompt);

/* The number, from 1, of the part that this kind of worker serves; 0: none. */
size_t part_number_of_helper(enum peer peer);

void parts_peer_ready(struct house *house, struct conn *peer);
void parts_peer_gone(struct house *house, struct conn *peer);

void parts_conn_return(struct house *house, struct conn *conn,
                       const struct storage_connection *row);
void parts_conn_gone(struct house *house, struct conn *conn);

int64_t parts_mark_every_ms(const struct house *house);
