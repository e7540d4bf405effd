#pragma once

#include "games/claim.h"

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

/* The card's suit, or the deck's number of suits for a card without one. */
uint8_t claim_group_of(const struct deck_def *deck, uint8_t card);

static inline bool claim_set_has(const struct card_set *set, uint8_t card)
{
    return (set->bits[card / 64] >> (card % 64) & 1) != 0;
}

/* Reads the hands from the claimant's view. */
void claim_hands_read(const struct game_view *view, const struct claim_facts *facts,
                      struct claim_hands *hands);
