#ifndef GAMES_PHRASE_H
#define GAMES_PHRASE_H

#include "games/text.h"

#include <stdint.h>

/*
 * Words for people, before translation: a whole sentence with {0}…{3} where its arguments stand,
 * and
 * "{0:trick|tricks}" for the words that go with a number, the first with 1 or -1 and the second
 * with all others. Whoever shows it translates the format, then fills it in, writing cards, suits
 * and names its own way (symbols or letters, colour, "you").
 */

#define PHRASE_ARGS_MAX 4

enum phrase_arg_type {
    ARG_NONE,
    ARG_NUMBER,
    ARG_CARD,  /* a card code of the game's deck */
    ARG_SUIT,  /* an index in the deck's suits */
    ARG_SEAT,  /* a seat number */
    ARG_WORDS, /* `words`, itself to be translated */
};

struct phrase_arg {
    uint8_t type; /* enum phrase_arg_type */
    int32_t number;
    const char *words;
};

/* An absent phrase has format NULL. Formats are constants marked with N_(). */
struct phrase {
    const char *format;
    struct phrase_arg args[PHRASE_ARGS_MAX];
};

struct phrase phrase_none(void);
struct phrase phrase_plain(const char *format);
struct phrase_arg arg_number(int32_t number);
struct phrase_arg arg_card(uint8_t card);
struct phrase_arg arg_suit(uint8_t suit);
struct phrase_arg arg_seat(uint8_t seat);
struct phrase_arg arg_words(const char *words);

/* How an argument other than a number is written; context is the caller's. */
typedef void phrase_writer(void *context, const struct phrase_arg *arg, struct text *out);

/* Fills in `format` (the phrase's own or its translation) with the phrase's arguments. */
void phrase_write(const struct phrase *phrase, const char *format, phrase_writer *write,
                  void *context, struct text *out);

#endif
