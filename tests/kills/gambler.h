#pragma once

#include "tests/faults/ledger.h"
#include "tests/kills/link.h"
#include "tests/kills/node.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A simulated player, who plays as fast as possible at the table of a group. The player's ledger
 * records everything that the house tells the player. One member of the group is the host, who
 * opens a table. The other members look for the host's table. Bots have the last seats.
 */
struct company {
    const char *host; /* name of the host */
    unsigned people;
    unsigned bots;
    const char *policy; /* of the bots */
};

/* Gets every view that a player is sent, and the view before; NULL: there was none in this game.
 * The JSON is the object "view" of the messages and is borrowed. */
struct gambler_watch {
    void (*see_view)(void *context, const json_t *before, const json_t *view);
    void *context;
};

/* Times from a move to its answer `ok`. When the array is full, further times are dropped. */
struct gambler_waits {
    int64_t *us;
    size_t count, capacity;
};

struct gambler_counts {
    uint64_t moves;       /* moves answered with `ok` */
    uint64_t connections; /* all connections made so far */
    uint64_t resyncs;
    int64_t since_ms; /* first_ms is about the first move at or after this time (same clock as
                         gambler_run_pass) */
    int64_t first_ms; /* when a move sent at or after since_ms was answered, or the move of somebody
                         else was seen on a connection that the house has greeted since then; 0: not
                         yet */
    struct gambler_waits
        *waits; /* where to record the times from moves to their answers, borrowed; NULL: nowhere */
    struct gambler_watch watch; /* see_view NULL: nobody */
};

struct gambler;

/* Creates a gambler, who draws for each connection at which of the nodes to enter. The nodes are
 * borrowed, so that the gambler sees when their ports change; the texts of the login, the company,
 * the ledger and the counts are borrowed too. The login's port is not used. */
struct gambler *gambler_new(const struct link_login *login, const struct node *nodes,
                            unsigned node_count, const struct company *company,
                            struct ledger *ledger, struct gambler_counts *counts);
void gambler_free(struct gambler *gambler);

/* Returns the descriptor of the gambler's input; -1: the gambler is not connected. Only
 * gambler_run_pass opens and closes it, and no call closes one input and opens another. */
int gambler_input_fd(const struct gambler *gambler);

/* Reads the messages that have arrived if the input is readable, or has ended, and takes the next
 * action, if any is due. Call this function whenever the input is readable, and regularly. */
void gambler_run_pass(struct gambler *gambler, int64_t now_ms, bool is_readable);

/* Sets how long the gambler thinks before each move: pace_ms, and more by an exponential
 * distribution with this mean. Both are 0 at first. */
void gambler_set_pace(struct gambler *gambler, int pace_ms, int mean_more_ms);

/* From now on, the gambler makes no more moves. */
void gambler_stop_moving(struct gambler *gambler);

/* Whether a request waits for its answer. */
bool gambler_awaits_answer(const struct gambler *gambler);
