#pragma once

#include "games/text.h"

#include <stdint.h>

/*
 * A sentence for people, before translation: a format with {0} to {3} for its arguments, and
 * "{0:trick|tricks}" for words that depend on a number, where the first is for 1 and -1 and the
 * second for all other numbers. The code that shows it translates the format, then fills in the
 * arguments and writes cards, suits and names in its own way (symbols or letters, colour, "you").
 */

#define PHRASE_ARGS_MAX 4

enum phrase_arg_type {
    ARG_NONE,
    ARG_NUMBER,
    ARG_CARD,  /* a card's number in the game's deck */
    ARG_SUIT,  /* an index into the deck's suits */
    ARG_SEAT,  /* a seat number */
    ARG_WORDS, /* the text in `words`, which is translated too */
};

struct phrase_arg {
    uint8_t type; /* enum phrase_arg_type */
    int32_t number;
    const char *words;
};

/* A phrase is absent when its format is NULL. Formats are constants marked with N_(). */
struct phrase {
    const char *format;
    struct phrase_arg args[PHRASE_ARGS_MAX];
};

struct phrase phrase_absent(void);
struct phrase phrase_without_args(const char *format);
struct phrase_arg arg_of_number(int32_t number);
struct phrase_arg arg_of_card(uint8_t card);
struct phrase_arg arg_of_suit(uint8_t suit);
struct phrase_arg arg_of_seat(uint8_t seat);
struct phrase_arg arg_of_words(const char *words);

/* Writes an argument that is not a number. `context` is the one given to phrase_write. */
typedef void phrase_writer(void *context, const struct phrase_arg *arg, struct text *out);

/* Writes `format`, which is the phrase's own or its translation, with the phrase's arguments filled
 * in. */
void phrase_write(const struct phrase *phrase, const char *format, phrase_writer *write_argument,
                  void *context, struct text *out);
