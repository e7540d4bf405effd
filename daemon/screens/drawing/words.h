#pragma once

#include "daemon/screens/drawing/theme.h"
#include "daemon/screens/model/model.h"
#include "games/phrase.h"

/*
 * Texts for people, for draw_text: translated phrases with their arguments, cards with their suit's
 * symbol or letters in its colour, seats by name, times. All append to `out`; those that return a
 * string return all of `out`.
 */

/* The names at the seats, for phrases. `names` is by seat; an empty or NULL name becomes "seat 3",
 * or the game's own name of a virtual seat. */
struct words {
    const struct theme *theme;
    const struct game_def *game;
    const char *names[SEATS_MAX];
    uint8_t players; /* the first virtual seat; 0: there are none */
    int8_t you;      /* this seat is called "you"; SPECTATOR: none */
    bool is_plain;   /* no colours: for dimmed text */
};

/* For the table that the model has entered. Borrows its names. */
struct words words_of_table(const struct theme *theme, const struct model_entered *entered);

/* Writes nothing for an absent phrase. */
const char *words_write_phrase(const struct words *words, struct phrase phrase, struct text *out);

/* "T♥", "10 Gr" in ASCII mode's letters, "CERBERUS"; "?" for CARD_NONE. */
const char *words_write_card(const struct words *words, uint8_t card, struct text *out);
/* Its number or sign alone, or its name when it has no suit. */
void words_write_rank(const struct deck_def *deck, uint8_t card, struct text *out);
const char *words_write_suit(const struct words *words, uint8_t suit, struct text *out);
const char *words_write_seat(const struct words *words, uint8_t seat, struct text *out);
/* Names the seats of a mask (bit 0: seat 0): "ada, bob and you". */
const char *words_write_seats(const struct words *words, uint8_t seats, struct text *out);

/* Any text in a tint (enum tint), if there are colours. */
void words_write_tinted(const struct words *words, uint8_t tint, const char *text,
                        struct text *out);

/* True for the seat that is called "you". */
bool words_is_own_seat(const struct words *words, uint8_t seat);

/* "1583", "1551?" when provisional, "–" when unknown. */
const char *words_write_rating(const struct theme *theme, const struct row_rating *rating,
                               struct text *out);

/* "±120", "+-120" in ASCII mode. */
void words_write_deviation(const struct theme *theme, int32_t deviation, struct text *out);

/* "30s", "5m", "2h", "1d"; "–" for 0. For clocks per move and idle times. */
const char *words_write_span(const struct theme *theme, int64_t seconds, struct text *out);

/* The time left on a clock: "0:24", "2:05", "3h 10m". Negative counts as 0. */
const char *words_write_clock(int64_t left_ms, struct text *out);

/* The house's time of day, "12:38"; the day, "2026-11-20"; both, "2026-11-20 12:38". */
const char *words_write_time(int64_t at_ms, struct text *out);
const char *words_write_day(int64_t at_ms, struct text *out);
const char *words_write_day_and_time(int64_t at_ms, struct text *out);
