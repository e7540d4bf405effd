#pragma once

#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Cards are small numbers within a deck: suit * deck->value_count + index of the value, values
 * ascending. The deck's special cards follow the cards of the suits. RULES.md names the cards.
 */

#define CARD_NONE 0xFF
#define SUIT_NONE 0xFF
#define CARD_TEXT_MAX 24

/* A set of cards of one deck; bit c stands for card c. */
struct card_set {
    uint64_t bits[2];
};

static inline void card_set_add(struct card_set *set, uint8_t card)
{
    set->bits[card / 64] |= UINT64_C(1) << (card % 64);
}

enum tint {
    TINT_PLAIN,
    TINT_RED,
    TINT_ORANGE,
    TINT_YELLOW,
    TINT_GREEN,
    TINT_BLUE,
    TINT_PURPLE,
    TINT_PINK,
    TINT_GREY,
};

struct suit_def {
    const char *id;      /* as written in histories: "S", "grey", "tom-dire" */
    const char *title;   /* shown to people, translated: "spades", "grey", "Tom Dire" */
    const char *symbol;  /* drawn on a card, UTF-8: "♠"; NULL: draw `letters` instead */
    const char *letters; /* drawn on a card in ASCII mode, translated, 1 to 3 columns: "Gr" */
    uint8_t tint;        /* enum tint */
};

struct special_def {
    const char *id;    /* as written in histories: "cerberus", "X1" */
    const char *title; /* shown to people, translated: "CERBERUS" */
    uint8_t tint;
    const char *letters; /* for narrow places, translated, 1 to 3 columns; NULL: use the title */
};

struct deck_def {
    const struct suit_def *suits;
    uint8_t suit_count;
    uint8_t value_first; /* the number of the lowest value: 2 in a standard deck, otherwise 1 */
    uint8_t value_count; /* the number of values in a suit */
    bool is_standard;    /* true: card names are rank, then suit ("TD"); false: "suit-value" */
    const struct special_def *specials;
    uint8_t special_count;
    uint8_t copies; /* copies of each card that has a suit; 0 means 1 */
};

/* 52 cards; suits S, H, D, C; aces are high. */
extern const struct deck_def standard_deck;

/* The number of different cards, special cards included. Card numbers are below this count. */
uint8_t card_count(const struct deck_def *deck);

/* Returns the number that all copies of a card share; CARD_NONE for CARD_NONE. Only a game's state
 * tells copies apart (as the hands in table.h do): there, copy k of card c has the number c + k *
 * card_count. */
uint8_t card_number_without_copy(const struct deck_def *deck, uint8_t card);

uint8_t card_of(const struct deck_def *deck, uint8_t suit, uint8_t value);

/* The card's suit; SUIT_NONE for a special card and for CARD_NONE. */
uint8_t card_suit(const struct deck_def *deck, uint8_t card);

/* The card's value (standard deck: 2 to 14, ace high); 0 for a special card and for CARD_NONE. */
uint8_t card_value(const struct deck_def *deck, uint8_t card);

/* Appends the card's name as in histories: "AS", "grey-10", "cerberus". Appends nothing for
 * CARD_NONE. */
void card_write_name(const struct deck_def *deck, uint8_t card, struct text *out);

/* The card with that name; CARD_NONE when no card has it. */
uint8_t card_parse(const struct deck_def *deck, const char *name);

/* Appends the rank that people read on the card, without the suit: "T", "10", "CERBERUS". Appends
 * nothing for CARD_NONE. */
void card_write_rank(const struct deck_def *deck, uint8_t card, struct text *out);
