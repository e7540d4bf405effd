#pragma once

#include "daemon/cli/subcommand.h"
#include "games/game.h"

/*
 * Reads the command lines of the subcommands. getopt is not used: it keeps its position in globals,
 * accepts abbreviations (which break scripts when an option is added) and cannot say which word was
 * wrong. A function that returns false has printed one line; the subcommand then returns 2.
 */

/* An option, and the variable that receives its value: exactly one of the pointers is set. The last
 * entry of a table has no name and receives the words that are not options ("-", and everything
 * after "--"): one word as `text`, all words as `rest`, or none. */
struct argument {
    const char *name;   /* the option without dashes: "seed" for --seed */
    const char *called; /* the option or word in messages: "--data DIR", "FILE" */
    bool is_needed;     /* the argument must be given; only for `text`, which is NULL until then */
    bool *flag;         /* for --name */
    const char **text;  /* for --name TEXT, or --name=TEXT; borrowed from argv */
    uint32_t *number;   /* for --name N */
    uint32_t min, max;  /* limits of the number */
    struct settings *settings; /* for --name KEY=VALUE, which may be given several times */
    char ***rest;              /* words that end with NULL; borrowed from argv */
};

/* Reads the words after argv[0], up to NULL. The variable of an option that is not given keeps its
 * value. */
bool arguments_read(const struct subcommand *self, const struct argument *known,
                    char **argv) MUST_CHECK;

/* For subcommands whose only option is --data DIR: returns DIR, borrowed from argv; NULL after
 * printing one line. */
const char *arguments_read_data_dir(const struct subcommand *self, char **argv);

/* Accepts a decimal number min…max and nothing else; `what` names it in messages ("--games"). */
bool arguments_parse_number(const struct subcommand *self, const char *what, const char *text,
                            uint32_t min, uint32_t max, uint32_t *number) MUST_CHECK;

/* Accepts 64 hex digits, of either case. */
bool arguments_parse_seed(const struct subcommand *self, const char *text,
                          uint8_t seed[SEED_BYTES]) MUST_CHECK;

bool arguments_find_game(const struct subcommand *self, const char *id,
                         const struct game_def **game) MUST_CHECK;

/* how often --option may be given in one command line */
#define SETTINGS_MAX 16

/* The "key=value" texts of --option, borrowed from argv, until the game is known. */
struct settings {
    const char *at[SETTINGS_MAX];
    size_t count;
};

/* Makes the set-up of a game. `players` is the text of --players, NULL if it was not given. */
bool arguments_make_config(const struct subcommand *self, const struct game_def *game,
                           const char *players, const struct settings *settings,
                           struct game_config *config) MUST_CHECK;
