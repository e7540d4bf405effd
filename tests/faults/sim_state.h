#ifndef TESTS_FAULTS_SIM_STATE_H
#define TESTS_FAULTS_SIM_STATE_H

#include "games/random.h"
#include "lobby/house/house.h"
#include "storage/storage.h"
#include "tests/faults/net.h"
#include "tests/faults/sim.h"
#include "tests/lobby/order_lines.h"

#include <jansson.h>
#include <sodium.h>

/* What sim.c (time and players' connections), sim_core.c (the core), sim_look.c (what people see of
 * it) and sim_worker.c (its helpers) share. */

#define SIM_AUTH 1
#define SIM_BOT 2
#define SIM_GATE 3
#define SIM_KEEPER 4
#define SIM_OWNER 5
#define SIM_CONN_FIRST 100
#define SIM_LINKS 64
#define SIM_UNSENT_MAX (256 * 1024)
#define SIM_DATA "house.db"
#define SIM_HELLO "{\"t\":\"hello\",\"protocol\":1,\"software\":\"sim\"}"

struct player;

/* A session between its player and the core. */
struct sim_link {
    int64_t conn; /* 0: free */
    unsigned player;
    bool is_known;                  /* the core has been told of it */
    bool awaits_hello;              /* as core_link.h's */
    bool is_dismissed;              /* it was told `bye` */
    bool is_signed_in;              /* as its session tells the gate */
    bool is_unsaved;                /* since the disk was full, and not stored yet */
    bool is_lost;                   /* something did not fit */
    int64_t since_ms;               /* it was made */
    int64_t slow_until_ms;          /* its player does not read before */
    int64_t to_core_ms, to_peer_ms; /* packets keep their order */
    size_t unsent;                  /* bytes under way to the player */
    json_t *seen;                   /* of what the core tells while it is looked at; else NULL */
};

/* Whoever owns the data. */
struct sim_owner {
    int64_t next_ms;
    int64_t requests;
    bool is_waiting; /* for the answer to this: */
    char line[ORDER_LINE_SIZE];
};

struct sim {
    struct sim_options options;
    struct quick_random random;
    int64_t now_ms;
    struct disk *disk;
    struct disk *before_commit;
    struct storage *storage; /* both NULL while the core is dead */
    struct house *house;
    int64_t start_ms; /* of a core, while there is none */
    bool is_restarted;
    bool has_begun; /* some core has opened the data */
    uint64_t kill_at_output;
    uint64_t output_count;
    const char *kill_before_ok; /* of such a request; NULL: of none */
    struct {
        int64_t conn;
        char *json; /* the answer that was not told; NULL: none */
    } untold;
    bool is_killed_by_disk; /* the disk is off because the core is to die, not the power */
    struct net up, down;    /* to the core, to the players */
    struct sim_link links[SIM_LINKS];
    int64_t next_conn;
    struct player *players[SIM_PLAYERS_MAX];
    struct sim_owner owner;
    int64_t order_serial;          /* every order's reason is another */
    bool is_reloading, is_closing; /* the core has asked for it */
    struct ledger ledger;
    struct sim_counts counts;
    crypto_generichash_state told;
};

uint32_t sim_below(struct sim *sim, uint32_t below);
struct sim_link *sim_link(struct sim *sim, int64_t conn);
void sim_link_free(struct sim_link *link);

/* A player's end: a new connection; what it sends; its end. */
int64_t sim_connect(struct sim *sim, unsigned player);
void sim_send(struct sim *sim, int64_t conn, const char *json, size_t len);
void sim_note_signed_in(struct sim *sim, int64_t conn);
void sim_hang_up(struct sim *sim, int64_t conn);
void sim_read_later(struct sim *sim, int64_t conn, int64_t until_ms);

/* sim_core.c: a turn of the core, which takes what is due; its start; its end, which is not told
 * to anybody. */
void sim_core_turn(struct sim *sim);
void sim_core_start(struct sim *sim);
void sim_core_die(struct sim *sim);

/* The end of a turn: commits and tells. False: the core has died of it. */
bool sim_core_finish(struct sim *sim);

/* All connections are gone. */
void sim_cut_off(struct sim *sim);

/* sim_answers.c: what becomes of answers. False when the core dies before it tells this. */
bool sim_answer_is_told(struct sim *sim, const struct house_output *output);

/* sim_look.c: what the core tells a link that is looked at. */
void sim_look_take(struct sim_link *link, const char *json, size_t len);

/* sim_worker.c: what a helper of the core answers. */
void sim_worker_take(struct sim *sim, int64_t conn, const char *json, size_t len);

#endif
