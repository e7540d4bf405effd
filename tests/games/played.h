#pragma once

#include "games/face.h"
#include "games/game.h"

/* Helpers that play moves given as texts, for tests of a game's rules. */

/* The seed with the bytes 00 01 02 … 1f; HISTORY.md publishes its first words. */
extern const uint8_t counting_seed[SEED_BYTES];

/* Returns a game that has just been dealt. All options have their defaults, except that `option`,
 * if not NULL, has `value`. */
struct game_state played_start_game(const struct game_def *game, uint8_t players,
                                    const char *option, const char *value);

/* Makes the move with this text and returns the result. The game must have such a move, legal or
 * not. */
enum game_result played_try_move(const struct game_def *game, struct game_state *state,
                                 uint8_t seat, const char *move);

/* Makes the moves, each written as seat and move such as "1 bid:2", in order. Only the last move
 * gets the log, which may be NULL. */
void played_make_moves(const struct game_def *game, struct game_state *state,
                       const char *const *moves, size_t count, const struct game_log *log);

/* Reads the cards named in a text such as "AS KH". Returns the number of cards. */
uint8_t played_read_cards(const struct deck_def *deck, const char *names, uint8_t cards[SLOTS_MAX]);

/* Writes a phrase in English, with cards by name, suits by title and seats as "seat 2". */
void played_write_phrase(const struct deck_def *deck, struct phrase phrase, char *buffer,
                         size_t buffer_size);

/* Appends the lines of a story, as a reader at seat `reader` gets them, each ended by a line break
 * and, for a great moment, an exclamation mark before it. Returns all of `out`. */
const char *played_write_story(const struct deck_def *deck, const struct story *story,
                               int8_t reader, struct text *out);

/* Fails unless the phrase reads as expected; "" means that the phrase is absent. */
void played_expect_phrase(const struct deck_def *deck, struct phrase phrase, const char *expected);

/* The events that a log received, one per line. */
struct played_events {
    struct text text;
    char lines[8192];
};

/* Returns a log that writes its events into *events, which must be empty. */
struct game_log played_make_event_log(struct played_events *events);
