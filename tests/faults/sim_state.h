#pragma once

#include "games/card.h"
#include "lobby/house/house.h"
#include "storage/storage.h"
#include "tests/faults/late.h"
#include "tests/faults/net.h"
#include "tests/faults/sim.h"
#include "tests/lobby/order_lines.h"

#include <jansson.h>
#include <sodium.h>

/* The internals of the simulation, shared by sim.c (time and the players' connections), sim_core.c
 * (the core), sim_look.c (what players see) and sim_worker.c (the workers). */

#define SIM_AUTH 1
#define SIM_BOT 2
#define SIM_GATE 3
#define SIM_KEEPER 4
#define SIM_OWNER 5
#define SIM_CONN_FIRST 100
#define SIM_LINKS 64
#define SIM_UNSENT_MAX (256 * 1024)
#define SIM_DATA "house.db"
#define SIM_HELLO                                                                                  \
    "{\"t\":\"hello\",\"protocol\":3,\"lobby\":true,\"software\":\"sim\",\"stops\":true}"

struct player;

/* A session: the connection between a player and the core. */
struct sim_link {
    int64_t conn; /* 0: this entry is free */
    unsigned player;
    bool is_known;         /* the core knows the session */
    bool awaits_hello;     /* the core ignores messages before `hello`, as in core_link.c */
    bool is_dismissed;     /* the session was told `bye` */
    bool is_signed_in;     /* the player is signed in, as the session reports to the gate */
    bool is_unsaved;       /* the player signed in while the disk was full, and is not stored yet */
    bool is_lost;          /* a message had to be dropped because too many bytes were waiting */
    bool is_behind;        /* the same, and the `resync` of the house was not sent since then */
    int64_t since_ms;      /* when the connection was made */
    int64_t slow_until_ms; /* the player does not read before this time */
    int64_t to_core_ms,
        to_peer_ms; /* when the last packet arrives; later packets must not arrive before it */
    size_t unsent;  /* number of bytes on their way to the player */
    json_t *seen;   /* records what the core sends, while sim_look.c compares what players see;
                       otherwise NULL */
};

/* The owner of the house's data, who gives moderation commands at a shell. */
struct sim_owner {
    int64_t next_ms;
    int64_t requests;
    bool is_waiting; /* the owner waits for the answer to the command in `line` */
    char line[ORDER_LINE_SIZE];
};

struct sim {
    struct sim_options options;
    struct quick_random random;
    int64_t now_ms;
    struct disk *disk;
    struct disk *before_commit;
    struct late late;
    struct storage *storage; /* the storage and the house are NULL while the core is dead */
    struct house *house;
    int64_t start_ms; /* while there is no core: when the next one starts */
    bool is_restarted;
    bool has_begun; /* a core has opened the data before */
    uint64_t kill_at_output;
    uint64_t output_count;
    const char *kill_before_ok; /* the type of request whose answer is to be lost; NULL: none */
    struct {
        int64_t conn;
        char *json; /* the lost answer; NULL: none */
    } untold;
    bool is_killed_by_disk; /* the disk is off because the core is to die, not because of a power
                               cut */
    struct net up, down;    /* packets to the core (up), and to the players (down) */
    struct sim_link links[SIM_LINKS];
    int64_t next_conn;
    struct player *players[SIM_PLAYERS_MAX];
    struct sim_owner owner;
    int64_t order_serial; /* number of the next moderation command, used to give every command a
                             different reason */
    bool is_reloading,
        is_closing; /* the core has asked the keeper to reload the settings or to close the house */
    struct ledger ledger;
    struct sim_counts counts;
    crypto_generichash_state told;
};

uint32_t sim_draw_number_below(struct sim *sim, uint32_t below);
struct sim_link *sim_find_link(struct sim *sim, int64_t conn);
void sim_link_free(struct sim_link *link);

/* These functions act for a player: they connect, send and hang up. */
int64_t sim_connect(struct sim *sim, unsigned player);
void sim_send(struct sim *sim, int64_t conn, const char *json, size_t len);
void sim_mark_signed_in(struct sim *sim, int64_t conn);
void sim_hang_up(struct sim *sim, int64_t conn);
void sim_delay_reading(struct sim *sim, int64_t conn, int64_t until_ms);

/* sim_core.c: carries out one pass of the core's loop with the packets that are due; starts a core;
 * ends a core without notice to its peers. */
void sim_core_run_pass(struct sim *sim);
void sim_core_start(struct sim *sim);

/* sim_core.c: returns when the core must do something next. */
int64_t sim_core_next_ms(const struct sim *sim);
void sim_core_die(struct sim *sim);

/* Ends a pass of the core's loop: commits, and sends the messages. Returns false when the core has
 * died. */
bool sim_core_end_pass(struct sim *sim);

/* Ends all players' connections. */
void sim_end_connections(struct sim *sim);

/* sim_answers.c: called before the core sends an answer. Compares the answer with the one that was
 * lost when an earlier core died. Returns false when this answer must be lost: the core then dies
 * instead of sending it. */
bool sim_may_send_answer(struct sim *sim, const struct house_output *output);

/* sim_look.c: records a message that the core sends while players' views are compared. */
void sim_look_record_message(struct sim_link *link, const char *json, size_t len);

/* sim_worker.c: answers a job from the core, as a worker process would. */
void sim_worker_receive(struct sim *sim, int64_t conn, const char *json, size_t len);
