#ifndef GAMES_HUND_HUND_H
#define GAMES_HUND_HUND_H

#include "games/table.h"

/*
 * HUND (RULES.md), split over several files: the rules (hund.c), which card gives which role
 * (hund_board.c), the virtual player (hund_virtual.c), what a round is worth (hund_result.c),
 * events and views (hund_record.c) and the way back from them (hund_sample.c), what people read
 * (hund_face.c), and the careful policy (hund_careful.c). Shared by these and their tests.
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

/* In the order in which they are given. */
enum hund_role {
    HUND_TRUMP,
    HUND_PLUS,
    HUND_HUND,
    HUND_MINUS,
    HUND_LEAD,
};

/* What the points of a round are made of (struct score_row). */
enum hund_part {
    HUND_PART_PLUS,
    HUND_PART_HUND,
    HUND_PART_MINUS,
    HUND_PARTS,
};

#define HUND_SUITS 5
#define HUND_ROLES 5
#define HUND_VALUES 15 /* in the whole deck; a game plays with the lowest of them */
#define HUND_VALUES_ALL ((UINT32_C(1) << HUND_VALUES) - 1)
#define HUND_COLUMNS 5 /* of the virtual player's display */
#define HUND_BONUS 3   /* for neither most nor fewest hund cards */
#define HUND_SEAT_NONE 0xFF

/* Moves: a card's number plays it; behind lie the sets to select, again by card, and the seats. */
#define HUND_SELECT_FIRST 80
#define HUND_START_FIRST 160

extern const struct deck_def hund_deck;

static inline uint8_t hund_suit(uint8_t card)
{
    return card / HUND_VALUES;
}

/* The cards of a suit whose values are in `values`, bit v - 1 for the value v. */
static inline struct card_set hund_set_of(uint8_t suit, uint32_t values)
{
    unsigned first = suit * HUND_VALUES;
    uint64_t bits = values;
    return (struct card_set){{bits << first, first + HUND_VALUES > 64 ? bits >> (64 - first) : 0}};
}

/* The values of a suit's cards in a set, as above. */
static inline uint32_t hund_values_in(struct card_set set, uint8_t suit)
{
    unsigned first = suit * HUND_VALUES;
    uint64_t bits = set.bits[0] >> first;
    bits |= first + HUND_VALUES > 64 ? set.bits[1] << (64 - first) : 0;
    return (uint32_t)(bits & HUND_VALUES_ALL);
}

/* Which cards designate, and what they have designated so far. */
struct hund_board {
    uint8_t keys[HUND_SUITS];  /* by suit: its designating card, CARD_NONE when it has none yet */
    uint8_t count;             /* roles given */
    uint8_t roles[HUND_ROLES]; /* the suit in each, SUIT_NONE until given */
};

/* A board without keys and roles. */
void hund_board_clear(struct hund_board *board);

/* Every suit's card of that value designates. */
void hund_board_number(struct hund_board *board, uint8_t number);

/* Gives the next role to the suit of a designating card just played, and with the fourth the last
 * one to the suit that remains. Returns how many roles that gave: 0, 1 or 2. */
uint8_t hund_board_play(struct hund_board *board, uint8_t card);

/* The board as a view shows it: from its number or sets, and its plays. */
void hund_board_read(const struct game_view *view, struct hund_board *board);

/* The set number `index` that was selected this round; CARD_NONE when there are not so many. */
uint8_t hund_set(const struct game_view *view, uint8_t index);

/* Whether `card` beats the best card of a trick; trump may be SUIT_NONE. */
static inline bool hund_beats(uint8_t card, uint8_t best, uint8_t trump)
{
    return hund_suit(card) == hund_suit(best) ? card > best : hund_suit(card) == trump;
}

struct hund {
    struct table_state table;
    uint8_t values; /* cards in a suit */
    bool has_sets;  /* the option `select` */
    uint8_t dealer;
    uint8_t first;              /* HUND_SEAT_NONE until chosen */
    uint8_t chooser;            /* who chooses the next round's first player */
    uint8_t pile[HUND_SUITS];   /* the numbers by round, without `select` */
    uint8_t sets[HUND_SUITS];   /* designating cards in the order they were selected */
    uint8_t set_count;          /* of them */
    struct hund_board board;    /* this round's */
    uint8_t left[HUND_COLUMNS]; /* cards in the virtual player's columns */
};

/* Cards in a suit: `more-cards` adds half. */
uint8_t hund_values(bool has_more, uint8_t players);

/* The virtual player's seat; HUND_SEAT_NONE when there is none. */
static inline uint8_t hund_virtual_seat(const struct hund *state)
{
    return state->table.seats > state->table.players ? state->table.players : HUND_SEAT_NONE;
}

/* The virtual player's next card among the columns' tops (CARD_NONE where a column is empty) when
 * `led` (SUIT_NONE: it leads) is to be followed: the leftmost that follows, else the leftmost of
 * all. Returns its column, HUND_COLUMNS when all are empty. */
uint8_t hund_virtual_column(const uint8_t tops[HUND_COLUMNS], uint8_t led);

/* Lays the hand dealt to the virtual player out: only the top row is face up. */
void hund_virtual_lay(struct hund *state);

/* Turns up what the trick uncovered. */
void hund_virtual_uncover(struct hund *state);

/* Takes the card that the five rules name off the display. */
uint8_t hund_virtual_take(struct hund *state);

/* From which slots the virtual player has played its cards of this round, oldest first, so that
 * every play was the one its rules name; false when no slots do. Where several do, any. */
bool hund_virtual_trace(const struct game_view *view, uint8_t slots[SLOTS_MAX]) MUST_CHECK;

/* What a round just played out is worth. */
struct hund_result {
    int16_t parts[HUND_PARTS][SEATS_MAX];
    int16_t points[SEATS_MAX];
    uint8_t chooser; /* of the next round's first player */
};

void hund_result_of(const struct hund *state, struct hund_result *result);

/* What seats with so many hund cards get: HUND_BONUS for neither most nor fewest, else 0. */
void hund_bonus(const uint8_t counts[SEATS_MAX], uint8_t seats, int16_t points[SEATS_MAX]);

/* What leaves a game: its events, to a log that is not NULL, and its views. */
void hund_log_round(const struct hund *state, const struct game_log *log);
void hund_log_roles(const struct hund *state, uint8_t given, const struct game_log *log);
void hund_log_score(const struct hund *state, const struct hund_result *result, bool is_over,
                    const struct game_log *log);
void hund_view(const void *bytes, int8_t seat, struct game_view *view);

/* The steps of a game that its rebuilding from a view takes as well. */
void hund_init(struct hund *state, const struct game_config *config,
               const uint8_t seed[SEED_BYTES]);
void hund_seat_round(struct hund *state, uint8_t dealer); /* who plays after whom, and no board */
void hund_begin(struct hund *state, uint8_t first, const struct game_log *log);
bool hund_is_over(const struct hund *state);
enum game_result hund_apply(void *bytes, uint8_t seat, uint8_t move, const struct game_log *log);
enum game_result hund_sample(const struct game_view *view, const struct game_config *config,
                             struct quick_random *random, void *bytes);

extern const struct game_face hund_face;
uint8_t hund_careful(const struct game_view *view, const struct game_config *config,
                     struct quick_random *random);

#endif
