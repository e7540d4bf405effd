#pragma once

#include "games/text.h"

#include <stdint.h>

/*
 * A sentence for people, before translation: a format with {0} to {9} for its arguments, and
 * "{0:trick|tricks}" for words that depend on a number, where the first is for 1 and -1 and the
 * second for all other numbers. The code that shows it translates the format, then fills in the
 * arguments and writes cards, suits and names in its own way (symbols or letters, colour, "you").
 */

#define PHRASE_ARGS_MAX 10

enum phrase_arg_type {
    ARG_NONE,
    ARG_NUMBER,
    ARG_POINTS, /* a number of points won or lost: written with a plus if it is a gain */
    ARG_CARD,   /* a card's number in the game's deck */
    ARG_SUIT,   /* an index into the deck's suits */
    ARG_SEAT,   /* a seat number */
    ARG_WORDS,  /* the text in `words`, which is translated too */
    ARG_SEATS,  /* several seats: bit s for seat s; written as a list of names */
    ARG_SLOTS,  /* several slots of a hand: bit i for slot i; written as a list of numbers from 1 */
    /* A phrase inside the phrase: `words` is its format, and its arguments, `number` of them, are
     * the outer phrase's next arguments. */
    ARG_PHRASE,
};

struct phrase_arg {
    uint8_t type; /* enum phrase_arg_type */
    int32_t number;
    const char *words;
    const char *own; /* of ARG_PHRASE: the format for the reader who is its first seat, or NULL */
};

/* A phrase is absent when its format is NULL. Formats are constants marked with N_(). A sentence
 * about what a player does has more than one format, because verbs and pronouns change when the
 * player is the one who reads it: "nora leads {1}", "You lead {1}". */
struct phrase {
    const char *format;
    const char *own;       /* instead of `format` when the reader is the first seat among the
                              arguments; NULL: there is no such format */
    const char *own_other; /* the same for the second seat among the arguments */
    struct phrase_arg args[PHRASE_ARGS_MAX];
};

struct phrase phrase_absent(void);
struct phrase phrase_without_args(const char *format);
struct phrase_arg arg_of_number(int32_t number);
struct phrase_arg arg_of_points(int32_t points); /* "+2", "0", "-6" */
struct phrase_arg arg_of_card(uint8_t card);
struct phrase_arg arg_of_suit(uint8_t suit);
struct phrase_arg arg_of_seat(uint8_t seat);
struct phrase_arg arg_of_words(const char *words);
struct phrase_arg arg_of_seats(uint8_t seats);
struct phrase_arg arg_of_slots(uint16_t slots);

/* Makes the arguments from number `index` on an ARG_PHRASE of `inner`, which must be present, and
 * the arguments of `inner`. Those of its arguments that have no room are left out. */
void phrase_put_inner(struct phrase *phrase, uint8_t index, const struct phrase *inner);

/* The phrase inside the phrase, by an ARG_PHRASE in `args`, or an absent one for any other
 * argument. */
struct phrase phrase_get_inner(const struct phrase_arg *arg);

/* The format to show to a reader at seat `reader` (negative: a reader without a seat). */
const char *phrase_choose_format(const struct phrase *phrase, int8_t reader);

/* Writes an argument that is not a number. `context` is the one given to phrase_write. */
typedef void phrase_writer(void *context, const struct phrase_arg *arg, struct text *out);

/* Writes `format`, which is the phrase's own or its translation, with the phrase's arguments filled
 * in. */
void phrase_write(const struct phrase *phrase, const char *format, phrase_writer *write_argument,
                  void *context, struct text *out);
