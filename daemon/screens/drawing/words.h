#pragma once

#include "daemon/screens/drawing/theme.h"
#include "daemon/screens/model/model.h"
#include "games/phrase.h"

/*
 * Writes texts for people: translated phrases with their arguments, cards with their suit's symbol
 * or letters in its colour, names at seats, times. All functions append to `out`; those that return
 * a string return all of `out`.
 */

/* What phrases need to name cards and seats. names[i] is the name of the player at seat i; an empty
 * or NULL name is written as "seat 3", or as the game's own name of a virtual seat. */
struct words {
    const struct theme *theme;
    const struct game_def *game;
    const struct game_config *config; /* the options of the table; NULL: not known, not shown */
    const char *names[SEATS_MAX];
    uint8_t players; /* number of the first virtual seat; 0: there are none */
    int8_t you;      /* the seat that is called "you"; SPECTATOR: none */
    bool
        is_plain; /* texts are written without colours, because they are drawn dimmed or selected */
    bool spells_suits;      /* suits without a symbol are written with their full names */
    bool abbreviates_suits; /* they are not, even in phrases of games that spell suits */
};

/* Returns what the functions below need to name the cards and seats of the entered table. Borrows
 * the names in `entered`. */
struct words words_make_for_entered_table(const struct theme *theme,
                                          const struct model_entered *entered);

/* Writes a game's phrase with its arguments; nothing if the phrase has no format. */
const char *words_write_phrase(const struct words *words, struct phrase phrase, struct text *out);

/* Writes a card: "T♥", "10 Gr" in ASCII mode's letters, "CERBERUS"; "?" for CARD_NONE. */
const char *words_write_card(const struct words *words, uint8_t card, struct text *out);
/* Writes a card's rank alone, or its title if it has no suit. */
void words_write_rank(const struct deck_def *deck, uint8_t card, struct text *out);
const char *words_write_suit(const struct words *words, uint8_t suit, struct text *out);
const char *words_write_seat(const struct words *words, uint8_t seat, struct text *out);
/* Writes the names of several seats (bit 0: seat 0): "ada, bob and you". */
const char *words_write_seats(const struct words *words, uint8_t seats, struct text *out);

/* Writes a text in a tint (enum tint), or uncoloured in plain text. */
void words_write_tinted(const struct words *words, uint8_t tint, const char *text,
                        struct text *out);

/* True if phrases call this seat "you". */
bool words_is_own_seat(const struct words *words, uint8_t seat);

/* Writes a rating: "1583", "1551?" if it is provisional, "–" if it is unknown. */
const char *words_write_rating(const struct theme *theme, const struct row_rating *rating,
                               struct text *out);

/* Writes a rating's uncertainty: "±120", in ASCII mode "+-120". */
void words_write_rating_deviation(const struct theme *theme, int32_t deviation, struct text *out);

/* Writes a span of time: "30s", "5m", "2h", "1d"; "–" for 0. */
const char *words_write_duration(const struct theme *theme, int64_t seconds, struct text *out);

/* Writes the time left on a clock: "0:24", "2:05", "3h 10m"; a negative time as 0. */
const char *words_write_time_left(int64_t left_ms, struct text *out);

/* Writes the time of day, "12:38", the day, "2026-11-20", or both, in the house's time zone. */
const char *words_write_time(int64_t at_ms, struct text *out);
const char *words_write_day(int64_t at_ms, struct text *out);
const char *words_write_day_and_time(int64_t at_ms, struct text *out);

/* The same, with the zone where it is not the reader's own (/timezone). */
const char *words_write_deadline(int64_t at_ms, struct text *out);
