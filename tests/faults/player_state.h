#ifndef TESTS_FAULTS_PLAYER_STATE_H
#define TESTS_FAULTS_PLAYER_STATE_H

#include "tests/faults/ledger.h"
#include "tests/faults/player.h"
#include "tests/lobby/order_lines.h"

#include <jansson.h>
#include <stdbool.h>

/* What player.c (the connection and what is told over it) and player_acts.c (what they do) share.
 */

#define PLAYER_ASKED 128 /* twice as many as the client lets wait */

struct client;

/* A request, until its answer comes: by the request's number. */
struct player_asked {
    const char *type;
    char line[ORDER_LINE_SIZE]; /* of a `mod`, without its `yes` */
    struct ledger_move move;    /* of a `move` */
};

struct player {
    struct sim *sim;
    unsigned index;
    char name[32];       /* that staff may have given them */
    char first_name[32]; /* when the account was made: the password has it */
    int64_t account;     /* its number, 0: not known yet */
    char role[16];
    char order[ORDER_LINE_SIZE]; /* to be given once more, with `yes`; "": none */
    bool has_account;            /* was told so, or that the name is taken */
    struct client *client;
    int64_t conn; /* 0: not connected */
    int64_t requests;
    char phase[16];
    struct player_asked asked[PLAYER_ASKED];
    int64_t next_ms;
    int64_t game;      /* on at the table */
    json_t *table;     /* the latest `table`, NULL in the lobby */
    json_t *view;      /* the latest `view` message */
    json_t *tables;    /* of the lobby, by number as text */
    json_t *mine;      /* own tables */
    bool is_over;      /* the game at the table has its result */
    bool is_dismissed; /* was told `bye` */
};

/* Asks; takes over `fields`. */
void player_ask(struct player *player, const char *type, json_t *fields);

/* Does one thing that can be done now. */
void player_choose(struct player *player);

/* 0 to below - 1. */
uint32_t player_below(struct player *player, uint32_t below);

#endif
