#ifndef GAMES_TABLE_H
#define GAMES_TABLE_H

#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What every trick-taking game's state begins with, and the steps they share: dealing, putting a
 * card to the trick, scoring a round, filling a view. A game adds its own rules around these.
 *
 * Seats play clockwise as `next` says, so a round may have an order of its own. Virtual seats are
 * the last ones. Several seats may be to act at once: `to_act` is a set.
 */

#define PLAYS_MAX 80 /* cards played in a round, all games: 75 */

/* Bits in a slot's sight: seat s sees the card when bit s is set. */
#define SIGHT_OF(seat) ((uint8_t)(1U << (seat)))
#define SIGHT_SPECTATOR SIGHT_OF(SEATS_MAX)

struct table_state {
    struct deal_stream stream;
    uint16_t step;
    uint8_t format;  /* as in struct game_config */
    uint8_t seats;   /* virtual ones included */
    uint8_t players; /* people and bots */
    uint8_t phase;   /* as in struct game_view */
    uint8_t to_act;  /* bit s: seat s may move */
    uint8_t round;   /* from 1 */
    uint8_t rounds;  /* 0 when nobody knows */
    uint8_t next[SEATS_MAX];

    uint8_t slot_count;                  /* of every hand, as dealt */
    struct card_set hands[SEATS_MAX];    /* cards still held */
    uint8_t slots[SEATS_MAX][SLOTS_MAX]; /* the card in a slot; empty when not in `hands` */
    uint8_t sight[SEATS_MAX][SLOTS_MAX]; /* who sees it */

    uint8_t play_count;            /* cards played this round… */
    uint8_t plays[PLAYS_MAX];      /* …in order */
    uint8_t past_count;            /* tricks finished this round */
    uint8_t leads[TRICKS_MAX + 1]; /* who leads each trick: who won the one before */
    uint8_t trick_count;           /* cards in the trick in progress */
    uint8_t led_card;              /* CARD_NONE between tricks */
    uint8_t best_card, best_seat;  /* what wins the trick in progress so far */
    struct view_trick last_trick;  /* of the round before; count 0 in the first */

    int8_t bids[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
    int16_t scores[SEATS_MAX];
};

/* Sets up an empty table of `seats`, virtual ones included, before the first deal; the state is
 * zeroed. Play goes by seat number. */
void table_init(struct table_state *table, uint8_t seats, const struct game_config *config,
                const uint8_t seed[SEED_BYTES]);

/* Begins the next round: shuffles `cards` and deals `slots` of them to each seat, block by block;
 * what remains of `cards` is the rest, in order. Everybody sees their own hand only. The game sets
 * phase and to_act, and who leads with table_lead. */
void table_deal(struct table_state *table, uint8_t *cards, uint8_t card_count, uint8_t slots);

/* No card is played and no bid made in a round just dealt, which table_deal does by itself. */
void table_begin_round(struct table_state *table, uint8_t round, uint8_t slots);

/* Gives a seat its hand, which it alone sees. */
void table_give(struct table_state *table, uint8_t seat, const uint8_t *cards, uint8_t slots);

/* The seat leads the round's first trick: it alone is to act. */
void table_lead(struct table_state *table, uint8_t seat);

/* Whether the card lies in the seat's hand. */
static inline bool table_holds(const struct table_state *table, uint8_t seat, uint8_t card)
{
    return card < 128 && (table->hands[seat].bits[card / 64] >> (card % 64) & 1) != 0;
}

/* GAME_OK when the seat may move now. */
static inline enum game_result table_check_turn(const struct table_state *table, uint8_t seat)
{
    if (seat < SEATS_MAX && (table->to_act >> seat & 1) != 0) {
        return GAME_OK;
    }
    return table->to_act == 0 ? GAME_OVER : GAME_NOT_YOUR_TURN;
}

/* Puts a held card to the trick; is_best: it beats all before it there (true for a lead). Returns
 * whether that finished the trick, which best_seat then has won and is to act. */
static inline bool table_play(struct table_state *table, uint8_t seat, uint8_t card, bool is_best)
{
    table->hands[seat].bits[card / 64] &= ~(UINT64_C(1) << (card % 64));
    table->plays[table->play_count++] = card;
    table->led_card = table->trick_count == 0 ? card : table->led_card;
    table->best_card = is_best ? card : table->best_card;
    table->best_seat = is_best ? seat : table->best_seat;
    if (++table->trick_count < table->seats) {
        table->to_act = (uint8_t)(1U << table->next[seat]);
        return false;
    }
    table->trick_count = 0;
    table->led_card = CARD_NONE;
    table->leads[++table->past_count] = table->best_seat;
    table->tricks[table->best_seat]++;
    table->to_act = (uint8_t)(1U << table->best_seat);
    return true;
}

/* Adds the round's points to the scores. */
void table_add(struct table_state *table, const int16_t points[SEATS_MAX]);

/* Adds them and tells the log, which may be NULL: for games that add nothing to the row. */
void table_score(struct table_state *table, const int16_t points[SEATS_MAX],
                 const struct game_log *log);

/* Ends the game: nobody is to act. */
void table_finish(struct table_state *table);

/* Standard competition ranking (1, 2, 2, 4) of the first `count` keys, the highest first. */
void table_ranks(const int32_t *keys, uint8_t count, uint8_t *ranks);

/* Scores, and ranks of all but virtual seats, where the highest total wins and ties share. */
void table_outcome(const struct table_state *table, struct game_outcome *outcome);

/* Fills what all games' views have; the game adds `info` and what only it knows. */
void table_view(const struct table_state *table, struct game_view *view);

#endif
