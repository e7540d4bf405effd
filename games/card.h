#ifndef GAMES_CARD_H
#define GAMES_CARD_H

#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Cards are small numbers within a deck: suit * deck->value_count + index of the value, values
 * ascending; after the suits' cards come the deck's special ones. Names are RULES.md's.
 */

#define CARD_NONE 0xFF
#define SUIT_NONE 0xFF
#define CARD_TEXT_MAX 24

/* Cards of one deck, by number. */
struct card_set {
    uint64_t bits[2];
};

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
    const char *id;      /* as in histories: "S", "grey", "tom-dire" */
    const char *title;   /* for people, translated: "spades", "grey", "Tom Dire" */
    const char *symbol;  /* on a card, UTF-8: "♠"; NULL: the title's short form `letters` */
    const char *letters; /* on a card in ASCII mode, 1 to 3 columns: "S", "Gr" */
    uint8_t tint;        /* enum tint */
};

struct special_def {
    const char *id;    /* "cerberus", "X1" */
    const char *title; /* for people, translated: "CERBERUS" */
    uint8_t tint;
    const char *letters; /* where columns are few, 1 to 3: "CER"; NULL: the title */
};

struct deck_def {
    const struct suit_def *suits;
    uint8_t suit_count;
    uint8_t value_first; /* the number of the lowest value: 2 in a standard deck, else 1 */
    uint8_t value_count; /* how many values a suit has at most */
    bool is_standard;    /* names are rank then suit ("TD"), else "suit-value" */
    const struct special_def *specials;
    uint8_t special_count;
    uint8_t copies; /* of each card of a suit; 0 is as 1 */
};

/* 52 cards, suits S H D C, ace high. */
extern const struct deck_def standard_deck;

/* How many cards there are, special ones included: every card is below it. */
uint8_t card_count(const struct deck_def *deck);

/* Where a deck has several copies of a card, they share its name and its number; only a state has
 * to tell them apart, as table.h's hands do: there copy k of card c is c + k * card_count. This is
 * the card that such a number, or CARD_NONE, stands for. */
uint8_t card_face(const struct deck_def *deck, uint8_t card);

uint8_t card_of(const struct deck_def *deck, uint8_t suit, uint8_t value);

/* SUIT_NONE for a special card or CARD_NONE. */
uint8_t card_suit(const struct deck_def *deck, uint8_t card);

/* The value's number (standard deck: 2…14, ace high); 0 for a special card or CARD_NONE. */
uint8_t card_value(const struct deck_def *deck, uint8_t card);

/* Appends the card's name as in histories: "AS", "grey-10", "cerberus"; nothing for no card. */
void card_write(const struct deck_def *deck, uint8_t card, struct text *out);

/* The card of that name, CARD_NONE when there is none. */
uint8_t card_parse(const struct deck_def *deck, const char *name);

/* What a person reads on the card, without suit: "T", "10", "CERBERUS"; nothing for no card. */
void card_write_rank(const struct deck_def *deck, uint8_t card, struct text *out);

#endif
