#pragma once

#include "games/game.h"

/*
 * Claims: the player whose turn it is claims all remaining tricks of the round. The proof uses only
 * that player's view, so an accepted or a refused claim tells nothing about hidden cards.
 *
 * A claim is proven when there is an order of the player's cards in which every card wins its
 * trick, whatever the others hold and play. The search is for games where players must follow suit
 * and the highest trump wins, else the highest card of the suit led. A card without a suit wins if
 * it is led, otherwise it loses, and may be played instead of following suit.
 *
 * What the others may hold is taken too large rather than too small: a claim that is proven always
 * holds, but a claim that holds is not always proven (tests/games/test_claim.c measures how often).
 *
 * Only all remaining tricks can be claimed. A player who will take none of them leaves open which
 * of the others takes them: every game has at least three seats, so the points are not decided.
 */

/* What the proof needs to know about a round, besides the view. A game's `claim` function
 * (game.h) fills it in. */
struct claim_facts {
    struct card_set
        cards;          /* the cards that the deal placed, and the undealt ones nobody has seen */
    uint8_t trump;      /* the trump suit; SUIT_NONE when there is none */
    uint8_t open_seats; /* bit s: seat s lays its hand out on the table and follows suit only with
                           the cards that lie face up */
};

struct claim_proof {
    uint8_t count;            /* number of tricks claimed: the player's remaining cards */
    uint8_t cards[SLOTS_MAX]; /* the order in which the cards are played */
};

/* Tries to prove that the view's seat, whose turn it is, takes all remaining tricks of the round.
 * Returns NULL and fills in the proof if so; otherwise the reason, a sentence marked with N_(). The
 * search visits at most CLAIM_STATES_MAX states for each card that may be played now. */
const char *claim_prove(const struct game_view *view, const struct game_config *config,
                        struct claim_proof *proof);

/* The most sets of cards played that a search tells apart: no hand of the games has more. A claim
 * with more is not proven. */
#define CLAIM_STATES_MAX 1024

/*
 * What a claimant knows of the other hands: bounds on the cards that each may hold. Only claim.c
 * uses it.
 */

#define CLAIM_GROUPS_MAX 8 /* the suits, and one group for cards without a suit */

/* What the claimant knows of another seat's hand. */
struct claim_hand {
    struct card_set may;              /* the cards that the seat may hold */
    struct card_set known;            /* the cards that the seat certainly holds */
    uint8_t count;                    /* the number of cards in the hand */
    uint8_t bans;                     /* bit s: the seat has no cards of suit s */
    bool has_played;                  /* the seat has played to the current trick */
    bool is_free;                     /* the seat may hold back cards of the suit led */
    uint8_t fewest[CLAIM_GROUPS_MAX]; /* bounds for the number of cards of each suit */
    uint8_t most[CLAIM_GROUPS_MAX];
    uint8_t highest[CLAIM_GROUPS_MAX]; /* the highest card of each suit that the seat may hold;
                                          CARD_NONE: none */
};

struct claim_hands {
    const struct deck_def *deck;
    uint8_t seats;
    uint8_t claimant;
    struct card_set own;    /* the claimant's hand */
    struct card_set unseen; /* the cards that the claimant cannot locate */
    uint8_t rest;           /* how many of these nobody holds */
    struct claim_hand of[SEATS_MAX];
};
