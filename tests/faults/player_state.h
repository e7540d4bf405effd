#pragma once

#include "tests/faults/ledger.h"
#include "tests/faults/player.h"
#include "tests/lobby/order_lines.h"

#include <jansson.h>
#include <stdbool.h>

/* The internals of a simulated player, shared by player.c (the connection and its messages),
 * player_acts.c (the player's actions) and player_staff.c (moderation commands). */

#define PLAYER_ASKED 128 /* twice the number of unanswered requests that the client allows */

struct client;

/* A request that waits for its answer. The request's number determines its place in the array. */
struct player_request {
    const char *type;
    char line[ORDER_LINE_SIZE]; /* the command of a `mod` request, without the `yes` that confirms
                                   it */
    struct ledger_move move;    /* the move of a `move` request */
};

struct player {
    struct sim *sim;
    unsigned index;
    char name[32];       /* the current name; staff may have changed it */
    char first_name[32]; /* the name when the account was created; the password contains it */
    int64_t account;     /* the account's number; 0: not known yet */
    char role[16];
    char order[ORDER_LINE_SIZE]; /* the moderation command to repeat with `yes`; "": none */
    bool has_account; /* the player was told that the account exists or that the name is taken */
    struct client *client;
    int64_t conn; /* the number of the connection; 0: not connected */
    int64_t requests;
    char phase[16];
    struct player_request asked[PLAYER_ASKED];
    int64_t next_ms;
    int64_t game;      /* the game in progress at the table */
    json_t *table;     /* the latest `table` message; NULL in the lobby */
    json_t *view;      /* the latest `view` message */
    json_t *tables;    /* the tables in the lobby; the keys are their numbers as text */
    json_t *mine;      /* tables where the player has a seat */
    bool is_over;      /* the game at the table has ended with a result */
    bool is_dismissed; /* the house has sent `bye` */
};

/* Sends a request; takes ownership of `fields`. */
void player_send_request(struct player *player, const char *type, json_t *fields);

/* Carries out one random action that is possible now. */
void player_act_at_random(struct player *player);

/* Draws a random number from 0 to below - 1. */
uint32_t player_draw_number_below(struct player *player, uint32_t below);
