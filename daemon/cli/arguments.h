#pragma once

#include "daemon/cli/subcommand.h"
#include "games/game.h"

#include <stdbool.h>

/*
 * Reads the command lines of the subcommands. getopt is not used: it keeps its position in globals,
 * accepts abbreviations (which break scripts when an option is added) and cannot say which word was
 * wrong. A function that returns false or ARGUMENT_BAD has printed one line; the subcommand then
 * returns 2.
 */

struct argument {
    const char *name; /* without dashes: "seed"; NULL ends a table */
    bool has_value;   /* "--seed X" or "--seed=X" */
};

struct arguments {
    const struct subcommand *self;
    const struct argument *known; /* ended by an entry without name */
    int argc;
    char **argv;
    int next;
    bool only_words; /* after "--" */
    const char
        *value; /* value of the option, or the word, that was just read; borrowed from argv */
};

#define ARGUMENT_WORD (-1) /* not an option; "-" is a word too */
#define ARGUMENT_END (-2)
#define ARGUMENT_BAD (-3)

/* `known` is borrowed, as are self and argv. argv[0] is skipped. */
struct arguments arguments_of(const struct subcommand *self, const struct argument *known, int argc,
                              char **argv);

/* Returns the next option's index in `known`, or one of the values above. */
int arguments_next(struct arguments *arguments);

/* For subcommands whose only option is --data DIR: returns DIR, borrowed from argv; NULL after
 * printing one line. */
const char *arguments_data_dir(const struct subcommand *self, int argc, char **argv);

/* Accepts a decimal number min…max and nothing else; `what` names it in messages ("--games"). */
bool arguments_number(const struct subcommand *self, const char *what, const char *text,
                      uint32_t min, uint32_t max, uint32_t *number) MUST_CHECK;

/* Accepts 64 hex digits, of either case. */
bool arguments_seed(const struct subcommand *self, const char *text,
                    uint8_t seed[SEED_BYTES]) MUST_CHECK;

bool arguments_game(const struct subcommand *self, const char *id,
                    const struct game_def **game) MUST_CHECK;

/* Most --option values in one command line. */
#define SETTINGS_MAX 16

/* The "key=value" texts of --option, borrowed from argv, until the game is known. */
struct settings {
    const char *at[SETTINGS_MAX];
    size_t count;
};

bool arguments_setting(const struct subcommand *self, struct settings *settings,
                       const char *text) MUST_CHECK;

/* Makes the game's set-up. `players` is the text of --players, NULL if it was not given. */
bool arguments_config(const struct subcommand *self, const struct game_def *game,
                      const char *players, const struct settings *settings,
                      struct game_config *config) MUST_CHECK;
