#pragma once

#include "games/game.h"

/*
 * Heckin' Hounds (RULES.md). The files: the rules and views (heckin_hounds.c), clues and what a
 * view tells its reader (…_known.c), states sampled from views (…_layout.c), texts for people
 * (…_face.c), what a net sees (…_encode.c). This header is for these files and their tests.
 *
 * The phases:
 *
 * bad ─▶ clue ×3 each ─▶ cerberus ─▶ discard ─▶ trade, once round ─▶ bid, once round ─▶ play
 */

enum hounds_phase {
    HOUNDS_BAD,
    HOUNDS_CLUE,
    HOUNDS_CERBERUS,
    HOUNDS_DISCARD,
    HOUNDS_TRADE,
    HOUNDS_BID,
    HOUNDS_PLAY,
};

/* The deck's suits are numbered from the strongest. A card's number is suit * 8 + value - 1;
 * Cerberus has the last number. */
#define HOUNDS_SLOTS 5
#define HOUNDS_SUITS 6
#define HOUNDS_DEALT_SUITS 5 /* the sixth suit, the mops, starts in the dead hand */
#define HOUNDS_VALUES 8
#define HOUNDS_MOPS 5
#define HOUNDS_CERBERUS_CARD 48
#define HOUNDS_CARDS 49
#define HOUNDS_DEAD_MAX 13
#define HOUNDS_BID_MOST 5
#define HOUNDS_CLUES_EACH 3
#define HOUNDS_CLUES_MAX (HOUNDS_CLUES_EACH * (SEATS_MAX - 1))

/* Numbers for what a clue can name: a suit that is dealt, a value (from 1), or a single slot. */
#define HOUNDS_SUBJECT_VALUE HOUNDS_DEALT_SUITS
#define HOUNDS_SUBJECT_SLOT (HOUNDS_SUBJECT_VALUE + HOUNDS_VALUES)
#define HOUNDS_SUBJECTS (HOUNDS_SUBJECT_SLOT + HOUNDS_SLOTS)

/* Moves: all moves except clues are in the first 64-bit word of a move set; clues, by seat, are in
 * the other two words. */
#define HOUNDS_MOVE_PLAY 0
#define HOUNDS_MOVE_BID 5
#define HOUNDS_MOVE_TRADE 11
#define HOUNDS_MOVE_PASS 16
#define HOUNDS_MOVE_DISCARD 17
#define HOUNDS_MOVE_CERBERUS 22
#define HOUNDS_MOVE_BAD 29
#define HOUNDS_MOVE_CLUE 64
#define HOUNDS_MOVE_END (HOUNDS_MOVE_CLUE + SEATS_MAX * HOUNDS_SUBJECTS)

/* Values of the member `trades` of struct hounds: a slot, or one of these constants. */
#define HOUNDS_TRADE_PASS 5
#define HOUNDS_TRADE_OPEN 6 /* the seat has not chosen yet */

#define HOUNDS_SEAT_NONE 0xFF

struct hounds_clue {
    uint8_t to;
    uint8_t clue_subject; /* the number of what the clue names, below HOUNDS_SUBJECTS */
    uint8_t slots;        /* bit i: the clue is about slot i */
    uint8_t card;         /* the card that a clue about a single slot names; CARD_NONE for other
                             clues, and if the view does not tell it */
};

/* `held`, `told_suit` and `told_value` store a set of slots for each seat: bit i stands
 * for slot i. */
struct hounds {
    struct table_state table;
    uint8_t leader;
    uint8_t bad_dog; /* the bad dog's suit; SUIT_NONE until chosen */
    uint8_t held[SEATS_MAX];
    uint8_t told_suit[SEATS_MAX];
    uint8_t told_value[SEATS_MAX];
    uint8_t clue_count;
    uint8_t clues_left[SEATS_MAX];
    struct hounds_clue clues[HOUNDS_CLUES_MAX];
    uint64_t clue_moves[2]; /* the legal clues, as in the last two 64-bit words of a move set */
    uint8_t trades[SEATS_MAX];
    uint8_t given[SEATS_MAX]; /* by seat: the card given in its trade; CARD_NONE without a trade,
                                 and in a sampled state if the viewer does not know the card */
    uint8_t cerberus_seat;    /* the seat that discarded a card for Cerberus; HOUNDS_SEAT_NONE until
                                 then */
    uint8_t cerberus_slot;
    uint8_t discarded;
    uint8_t dead_count;
    uint8_t dead[HOUNDS_DEAD_MAX];
    uint8_t trick_bad; /* number of bad-dog cards in the current trick */
    uint8_t badness[SEATS_MAX];
};

extern const struct deck_def hounds_deck;

/* Whether the slot is marked because its card was traded. */
static inline bool hounds_is_traded(const struct hounds *state, uint8_t seat, uint8_t slot)
{
    return state->trades[seat] == slot;
}

/* A card's strength: the card with the greatest strength wins the trick. */
static inline uint8_t hounds_strength(uint8_t card)
{
    /* Stronger suits have lower numbers; Cerberus is stronger than all suits. */
    return card == HOUNDS_CERBERUS_CARD ? UINT8_MAX : card ^ 0x38;
}

/* Returns the clue_subject of a clue that names the card's suit, or of a clue that names the card's
 * value. HOUNDS_SUBJECTS for a card that no such clue can name. */
static inline uint8_t hounds_clue_subject_for_suit(uint8_t card)
{
    return card < HOUNDS_DEALT_SUITS * HOUNDS_VALUES ? card / HOUNDS_VALUES : HOUNDS_SUBJECTS;
}

static inline uint8_t hounds_clue_subject_for_value(uint8_t card)
{
    return card < HOUNDS_CERBERUS_CARD ? (uint8_t)(HOUNDS_SUBJECT_VALUE + card % HOUNDS_VALUES)
                                       : HOUNDS_SUBJECTS;
}

/* Which seats see a seat's hand, one bit each: the leader sees every hand; the others do not see
 * their own or the leader's. */
static inline uint8_t hounds_seats_that_see_hand(uint8_t seat_count, uint8_t leader, uint8_t owner)
{
    unsigned own = 1U << owner;
    unsigned sees = owner == leader ? own : ((1U << seat_count) - 1) ^ own;
    return (uint8_t)sees;
}

/* Steps of the rules that sampling a state uses too: starting a round that has been dealt; showing
 * the cards taken in trades; and playing the card of a slot, which returns whether the trick is
 * finished. */
void hounds_begin_round(struct hounds *state, uint8_t leader);
void hounds_show_traded_cards(struct hounds *state);
bool hounds_play_card_from_slot(struct hounds *state, uint8_t seat, uint8_t slot);

/* See encode_traits.reopen_bidding. */
void hounds_reopen_bidding(void *state_bytes);

/* Computes which clues are legal now from the clues given so far. */
void hounds_find_legal_clues(struct hounds *state);

/* Gives the seat `to` a legal clue. */
void hounds_give_clue(struct hounds *state, uint8_t to, uint8_t clue_subject);

/* What views tell besides what the views of all games tell (struct info_def). The members are as in
 * struct hounds. */
struct hounds_known {
    uint8_t leader;
    uint8_t bad_dog;
    uint8_t badness[SEATS_MAX];
    struct hounds_clue clues[HOUNDS_CLUES_MAX + 1]; /* `to` is HOUNDS_SEAT_NONE after the last */
    uint8_t trades[SEATS_MAX];
    uint8_t given[SEATS_MAX]; /* by seat: the card given in its trade; CARD_NONE when there was none
                                 or the viewer does not know it */
    uint8_t cerberus_seat;
    uint8_t cerberus_slot;
    uint8_t discarded; /* the discarded card; CARD_NONE when the viewer did not see it */
};

static inline const struct hounds_known *hounds_known(const struct game_view *view)
{
    return (const void *)view->info;
}

/* The number of clues given to the seat. */
uint8_t hounds_count_clues(const struct hounds_known *known, uint8_t to);

/* The number of seats that have traded or passed. */
uint8_t hounds_count_trades(const struct hounds_known *known, uint8_t seat_count);

/* For each place (a slot, or the discarded card), the set of cards that may lie there as far as the
 * viewer knows; one bit per card. */
struct hounds_places {
    uint64_t pool;  /* the cards whose place the viewer does not know */
    uint64_t given; /* the cards known to have been given in trades, wherever they are now */
    uint64_t slots[SEATS_MAX][HOUNDS_SLOTS]; /* the cards that may lie in each slot: only one when
                                                the card is known, none in an empty slot */
    uint64_t discarded;
};

/* Whether the facts of a well formed view, which may come from outside, fit together. */
bool hounds_view_is_possible(const struct game_view *view) MUST_CHECK;

/* The dealt cards that may have been in a slot when the clues were given. A clue names all cards to
 * which it applies, so it also tells something about the slots that it does not name. */
uint64_t hounds_possible_dealt_cards(const struct game_view *view, const struct hounds_known *known,
                                     uint8_t seat, uint8_t slot);

/* Finds which cards may lie in each place. False when a card would lie in two places at once. */
bool hounds_find_possible_cards(const struct game_view *view, const struct hounds_known *known,
                                struct hounds_places *places) MUST_CHECK;

bool hounds_sample_state(const struct game_view *view, struct quick_random *random,
                         void *state_bytes);

extern const struct encode_traits heckin_hounds_encode;
extern const struct game_face hounds_face;
