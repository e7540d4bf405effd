#ifndef DAEMON_CLI_ARGUMENTS_H
#define DAEMON_CLI_ARGUMENTS_H

#include "daemon/cli/subcommand.h"
#include "games/game.h"

#include <stdbool.h>

/*
 * What the game-side subcommands read from their command lines. Not getopt: it keeps its place in
 * globals, takes abbreviations (which break scripts when an option is added) and cannot say which
 * word was wrong. Whatever returns false or ARGUMENT_BAD has printed one clear line; the
 * subcommand then returns 2.
 */

struct argument {
    const char *name; /* without the dashes: "seed"; NULL ends a table */
    bool has_value;   /* "--seed X" or "--seed=X" */
};

struct arguments {
    const struct subcommand *self;
    const struct argument *known; /* ended by a NULL name */
    int argc;
    char **argv;
    int next;
    bool only_words;   /* after "--" */
    const char *value; /* of the option or word just read; borrowed from argv */
};

#define ARGUMENT_WORD (-1) /* no option; "-" is a word too */
#define ARGUMENT_END (-2)
#define ARGUMENT_BAD (-3)

/* `known` is borrowed, as are self and argv. argv[0] is skipped. */
struct arguments arguments_of(const struct subcommand *self, const struct argument *known, int argc,
                              char **argv);

/* The next option's index in `known`, or one of the values above. */
int arguments_next(struct arguments *arguments);

/* For subcommands that take --data DIR and nothing else: DIR, borrowed from argv; NULL after one
 * clear line. */
const char *arguments_data_dir(const struct subcommand *self, int argc, char **argv);

/* A decimal number min…max and nothing else; `what` names it in the message ("--games"). */
bool arguments_number(const struct subcommand *self, const char *what, const char *text,
                      uint32_t min, uint32_t max, uint32_t *number) MUST_CHECK;

/* 64 hex digits, of either case. */
bool arguments_seed(const struct subcommand *self, const char *text,
                    uint8_t seed[SEED_BYTES]) MUST_CHECK;

bool arguments_game(const struct subcommand *self, const char *id,
                    const struct game_def **game) MUST_CHECK;

/* How often --option may stand in one command line. */
#define SETTINGS_MAX 16

/* The "key=value" texts of --option, borrowed from argv, until the game is known. */
struct settings {
    const char *at[SETTINGS_MAX];
    size_t count;
};

bool arguments_setting(const struct subcommand *self, struct settings *settings,
                       const char *text) MUST_CHECK;

/* The game's set-up: `players` is the text of --players, NULL when it was not given. */
bool arguments_config(const struct subcommand *self, const struct game_def *game,
                      const char *players, const struct settings *settings,
                      struct game_config *config) MUST_CHECK;

#endif
