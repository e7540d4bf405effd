#pragma once

#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The state that every trick-taking game begins with, and the steps that games share: dealing,
 * adding a card to the trick, scoring a round, filling a view. A game adds its own rules around
 * these.
 *
 * Seats play clockwise in the order of `next`, so a round may have its own order. Virtual seats
 * have the highest numbers. Several seats may be allowed to move at once: `to_act` is a set.
 */

#define PLAYS_MAX 80 /* cards played in a round; no game needs more than 75 */

/* Bits of `sight`: seat s sees the card when bit s is set. */
#define SIGHT_OF(seat) ((uint8_t)(1U << (seat)))
#define SIGHT_SPECTATOR SIGHT_OF(SEATS_MAX)

struct table_state {
    struct deal_stream stream;
    uint16_t step;
    uint8_t seats;   /* the number of seats, virtual ones included */
    uint8_t players; /* number of people and bots at the table */
    uint8_t phase;   /* the phase, as in struct game_view */
    uint8_t to_act;  /* bit s: seat s may move */
    uint8_t round;   /* the current round, counted from 1 */
    uint8_t rounds;  /* number of rounds in the game; 0 when it is not known */
    uint8_t next[SEATS_MAX];

    uint8_t slot_count; /* number of slots in each hand: the number of cards dealt to it */
    struct card_set hands[SEATS_MAX];    /* the cards that each seat still holds */
    uint8_t slots[SEATS_MAX][SLOTS_MAX]; /* the card that was dealt to each slot; it has been played
                                            if `hands` does not contain it */
    uint8_t sight[SEATS_MAX][SLOTS_MAX]; /* which seats see the card in each slot */

    uint8_t play_count;       /* number of cards played this round */
    uint8_t plays[PLAYS_MAX]; /* the cards played this round, in order */
    uint8_t past_count;       /* tricks finished this round */
    uint8_t
        leads[TRICKS_MAX + 1]; /* the seat that leads each trick: the winner of the trick before */
    uint8_t trick_count;       /* cards in the current trick */
    uint8_t led_card;          /* the card led; CARD_NONE between tricks */
    uint8_t best_card, best_seat; /* the card and seat that win the current trick so far */
    struct view_trick last_trick; /* last trick of the previous round; count 0 in the first round */

    int8_t bids[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
    int16_t scores[SEATS_MAX];
};

/* Sets up a table with `seat_count` seats, virtual ones included, before the first deal. The
 * table's memory must be zero. Seats play in the order of their numbers. */
void table_init(struct table_state *table, uint8_t seat_count, const struct game_config *config,
                const uint8_t seed[SEED_BYTES]);

/* Starts the next round: shuffles `cards` and deals `hand_size` consecutive cards to each seat. The
 * undealt cards remain in `cards`, in order. Each seat sees only its own hand. The game then sets
 * phase and to_act, and chooses who leads with table_set_lead. */
void table_deal(struct table_state *table, uint8_t *cards, uint8_t card_count, uint8_t hand_size);

/* Resets the table for a round in which no card has been played and no bid made. table_deal calls
 * it. */
void table_begin_round(struct table_state *table, uint8_t round, uint8_t hand_size);

/* Takes the round back to before its first bid: every seat has the cards again that it has played.
 */
void table_reopen_round(struct table_state *table);

/* Gives a seat its hand. Only that seat sees it. */
void table_give_hand(struct table_state *table, uint8_t seat, const uint8_t *cards,
                     uint8_t hand_size);

/* The seats that may move; none if the round with this number is over. */
static inline uint8_t table_seats_to_act_in_round(const struct table_state *table, uint8_t round)
{
    return table->round == round ? table->to_act : 0;
}

/* Sets the seat that leads the round's first trick: now only this seat may move. */
void table_set_lead(struct table_state *table, uint8_t seat);

static inline bool table_seat_holds(const struct table_state *table, uint8_t seat, uint8_t card)
{
    return card < 128 && (table->hands[seat].bits[card / 64] >> (card % 64) & 1) != 0;
}

/* Checks whether the seat may move now. Returns GAME_OK if so, otherwise the reason. */
static inline enum game_result table_check_turn(const struct table_state *table, uint8_t seat)
{
    if (seat < SEATS_MAX && (table->to_act >> seat & 1) != 0) {
        return GAME_OK;
    }
    return table->to_act == 0 ? GAME_OVER : GAME_NOT_YOUR_TURN;
}

/* Adds a held card to the trick. is_best: the card beats all cards before it in the trick (true for
 * a lead). Returns whether the trick is finished; then best_seat has won it and is the only seat
 * that may move. */
static inline bool table_play_card(struct table_state *table, uint8_t seat, uint8_t card,
                                   bool is_best)
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

void table_add_points(struct table_state *table, const int16_t points[SEATS_MAX]);

/* Adds the points to the totals and sends a score row to the log, which may be NULL. For games
 * whose score rows have no members of their own. */
void table_score_round(struct table_state *table, const int16_t points[SEATS_MAX],
                       const struct game_log *log);

/* Ends the game: nobody may move any more. Sends the outcome, as `compute_outcome` computes it, to
 * the log, which may be NULL. */
void table_end_game(struct table_state *table,
                    void (*compute_outcome)(const void *state, struct game_outcome *outcome),
                    const struct game_log *log);

/* Ranks the first `count` keys, the highest first. Equal keys share a rank and the next rank is
 * skipped (1, 2, 2, 4). */
void table_compute_ranks(const int32_t *keys, uint8_t count, uint8_t *ranks);

/* A `score` function for struct game_def, for games where the highest total wins and ties share a
 * rank. Fills in the scores and the ranks; virtual seats get no rank. */
void table_fill_outcome(const void *state, struct game_outcome *outcome);

/* Fills in the members that all games' views share. The game adds `info` and its own members. */
void table_fill_view(const struct table_state *table, struct game_view *view);
