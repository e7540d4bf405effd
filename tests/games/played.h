#ifndef TESTS_GAMES_PLAYED_H
#define TESTS_GAMES_PLAYED_H

#include "games/game.h"

/* Playing by move texts, for the tests of one game's rules. */

/* The seed 000102…1f, whose first words HISTORY.md publishes. */
extern const uint8_t counting_seed[SEED_BYTES];

/* A game of `players` just dealt, option values by default unless key and value say otherwise. */
struct game_state played_start(const struct game_def *game, uint8_t players, const char *key,
                               const char *value);

/* Tries the move of that text, which must exist. */
enum game_result played_try(const struct game_def *game, struct game_state *state, uint8_t seat,
                            const char *move);

/* Makes moves written "1 bid:2", in order, the last one with the log, which may be NULL. */
void played_make(const struct game_def *game, struct game_state *state, const char *const *moves,
                 size_t count, const struct game_log *log);

/* The cards named in a text like "AS KH"; returns how many. */
uint8_t played_cards(const struct deck_def *deck, const char *names, uint8_t cards[SLOTS_MAX]);

/* A phrase in English, with cards by name, suits by title and seats as "seat 2". */
void played_phrase(const struct deck_def *deck, struct phrase phrase, char *buffer, size_t cap);

/* Fails unless the phrase reads like that, "" meaning absent. */
void played_expect_phrase(const struct deck_def *deck, struct phrase phrase, const char *expected);

/* What a log hears, an event a line. */
struct played_story {
    struct text text;
    char lines[8192];
};

/* A log that writes into the story, which starts empty. */
struct game_log played_story_log(struct played_story *story);

#endif
