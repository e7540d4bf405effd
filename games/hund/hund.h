#pragma once

#include "games/game.h"

/*
 * HUND (RULES.md). The files: the rules, the virtual player and states sampled from views (hund.c),
 * texts for people and the story of a table (hund_face.c), what a net sees (hund_encode.c). This
 * header is for these files and their tests.
 */

enum hund_phase {
    HUND_START,
    HUND_SELECT,
    HUND_PLAY,
};

enum hund_option {
    HUND_MORE_CARDS,
    HUND_SELECTING,
    HUND_ROUNDS,
};

/* Roles, in the order in which they are given. */
enum hund_role {
    HUND_TRUMP,
    HUND_PLUS,
    HUND_HUND,
    HUND_MINUS,
    HUND_LEAD,
};

/* The parts of a round's points (struct score_row). */
enum hund_part {
    HUND_PART_PLUS,
    HUND_PART_HUND,
    HUND_PART_MINUS,
    HUND_PARTS,
};

#define HUND_SEATS_MAX 5
#define HUND_SUITS 5
#define HUND_ROLES 5
#define HUND_VALUES 15 /* values in the full deck; a game uses the lowest of them */
#define HUND_VALUES_ALL ((UINT32_C(1) << HUND_VALUES) - 1)
#define HUND_COLUMNS 5 /* number of columns of the virtual player's display */
#define HUND_BONUS 3   /* points for having neither the most nor the fewest hund cards */
#define HUND_SEAT_NONE 0xFF

/* Moves: a number below HUND_SELECT_FIRST plays the card with this number. HUND_SELECT_FIRST + card
 * selects this card as a designating card. HUND_START_FIRST + seat chooses this seat as the first
 * player. */
#define HUND_SELECT_FIRST 80
#define HUND_START_FIRST 160

/* With the option `select`, a total this high or this low ends the game. */
#define HUND_TOTAL_HIGH 20
#define HUND_TOTAL_LOW (-15)

extern const struct deck_def hund_deck;

static inline uint8_t hund_suit(uint8_t card)
{
    return card / HUND_VALUES;
}

/* The cards of a suit that have the values in `values`; bit v - 1 stands for value v. */
static inline struct card_set hund_cards_of_suit(uint8_t suit, uint32_t values)
{
    unsigned first = suit * HUND_VALUES;
    uint64_t bits = values;
    return (struct card_set){{bits << first, first + HUND_VALUES > 64 ? bits >> (64 - first) : 0}};
}

/* The values of the cards of a suit in the set; bit v - 1 stands for value v. */
static inline uint32_t hund_values_of_suit(struct card_set set, uint8_t suit)
{
    unsigned first = suit * HUND_VALUES;
    uint64_t bits = set.bits[0] >> first;
    bits |= first + HUND_VALUES > 64 ? set.bits[1] << (64 - first) : 0;
    return (uint32_t)(bits & HUND_VALUES_ALL);
}

/* The designating cards, each of which gives its suit the next role when it is played, and the
 * roles given so far. */
struct hund_board {
    uint8_t keys[HUND_SUITS];  /* by suit: its designating card; CARD_NONE while it has none */
    uint8_t count;             /* number of roles given */
    uint8_t roles[HUND_ROLES]; /* the suit in each role; SUIT_NONE until given */
};

/* Gives the next role to the suit of a designating card that was just played. When that is the
 * fourth role, also gives the last role to the remaining suit. Returns how many roles were given:
 * 0, 1 or 2. */
uint8_t hund_board_give_roles(struct hund_board *board, uint8_t card);

/* Sets the board up as it is before the first card of the view's round: from the round's number or
 * the selected cards. */
void hund_board_begin(const struct game_view *view, struct hund_board *board);

/* Rebuilds the board of the view: also from the cards played. */
void hund_board_read_view(const struct game_view *view, struct hund_board *board);

/* What views tell besides what the views of all games tell (struct info_def). */
struct hund_known {
    uint8_t dealer;
    uint8_t order[SEATS_MAX]; /* the order of play, from the seat after the dealer */
    uint8_t designator;       /* the number on the designating cards; INFO_NONE if players select */
    uint8_t past_designators[HUND_SUITS]; /* of the earlier rounds; INFO_NONE after the last */
    uint8_t first;                        /* as in struct hund */
    uint8_t sets[HUND_SUITS + 1]; /* the selected designating cards; CARD_NONE after the last */
};

static inline const struct hund_known *hund_known(const struct game_view *view)
{
    return (const void *)view->info;
}

/* Whether `card` beats `best`, the card that wins the trick so far. trump may be SUIT_NONE. */
static inline bool hund_card_beats(uint8_t card, uint8_t best, uint8_t trump)
{
    return hund_suit(card) == hund_suit(best) ? card > best : hund_suit(card) == trump;
}

struct hund {
    struct table_state table;
    uint8_t values;  /* number of values in each suit */
    bool has_select; /* whether the option `select` is on */
    uint8_t dealer;
    uint8_t first;            /* the round's first player; HUND_SEAT_NONE until chosen */
    uint8_t chooser;          /* the seat that chooses the next round's first player */
    uint8_t pile[HUND_SUITS]; /* without the option `select`: the number on the designating cards of
                                 each round */
    uint8_t sets[HUND_SUITS]; /* designating cards in the order they were selected */
    uint8_t set_count;        /* number of cards in `sets` */
    struct hund_board board;  /* this round's designating cards and roles */
    uint8_t left[HUND_COLUMNS]; /* number of cards in each of the virtual player's columns */
};

/* The virtual player's seat; HUND_SEAT_NONE when the table has none. */
static inline uint8_t hund_virtual_seat(const struct hund *state)
{
    return state->table.seats > state->table.players ? state->table.players : HUND_SEAT_NONE;
}

/* Returns the column from which the virtual player plays: the column of the leftmost card that
 * follows suit, otherwise of the leftmost card. `tops` is the card on top of each column (CARD_NONE
 * for an empty column); `led` is the suit led (SUIT_NONE when the virtual player leads).
 * HUND_COLUMNS when all columns are empty. */
uint8_t hund_virtual_choose_column(const uint8_t tops[HUND_COLUMNS], uint8_t led);

/* Lays out the hand dealt to the virtual player. Only the top row is face up. */
void hund_virtual_lay_out_hand(struct hund *state);

/* Finds slots from which the virtual player may have played this round's cards, oldest first, so
 * that its rules explain each play. When there are several answers, finds one of them; false when
 * there is none. */
bool hund_virtual_trace_plays(const struct game_view *view, uint8_t slots[SLOTS_MAX]) MUST_CHECK;

/* The result of a round that has just been played out. */
struct hund_result {
    int16_t parts[HUND_PARTS][SEATS_MAX];
    int16_t points[SEATS_MAX];
    uint8_t chooser; /* the seat that chooses the next round's first player */
};

void hund_compute_result(const struct hund *state, struct hund_result *result);

/* Fills in the parts and the points of seats with so many cards of each suit in their tricks, as
 * far as roles are given. */
void hund_fill_points(const struct hund_board *board, uint8_t seats,
                      uint8_t counts[SEATS_MAX + 1][FACE_SUITS_MAX], struct hund_result *result);

void hund_set_up_round(struct hund *state,
                       uint8_t dealer); /* sets the order of play and empties the board */
void hund_start_round(struct hund *state, uint8_t first_player, const struct game_log *log);
bool hund_game_is_over(const struct hund *state);

extern const struct encode_traits hund_encode;
extern const struct game_face hund_face;
