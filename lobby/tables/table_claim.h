#pragma once

#include "games/view.h"

#include <stdint.h>

struct claim_row;
struct house;
struct table;

/*
 * An open claim at a table: a player has proven that all remaining tricks of the round are theirs
 * (games/claim.h), and the other players are asked whether they agree. Only players are told of it.
 * A claim is not stored: a restart of the core withdraws it.
 */
struct table_claim {
    int64_t due_ms;           /* when players who have not answered count as accepting */
    uint8_t count;            /* the number of tricks claimed; 0: no claim is open */
    uint8_t seat;             /* the claimant's seat */
    uint8_t asked;            /* bit s: the player on seat s is asked and has not answered */
    uint8_t cards[SLOTS_MAX]; /* the claimant's cards in the order of the proof */
    bool is_accepted;         /* the round is being played to its end */
    bool is_refused;          /* somebody refused a claim at step `refused_step` */
    size_t refused_step;
};

/* Withdraws the claim, if one is open or accepted, and tells the players at the next commit. */
void table_claim_withdraw(struct house *house, struct table *table);

/* Describes the open claim for a player; a claim of 0 tricks when there is none. */
struct claim_row table_claim_make_row(const struct table *table);
