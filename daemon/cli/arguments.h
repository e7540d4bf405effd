#pragma once

#include "daemon/cli/subcommand.h"
#include "games/game.h"

/*
 * Reads the command lines of the subcommands. getopt is not used: it keeps its position in globals,
 * accepts abbreviations (which break scripts when an option is added) and cannot say which word was
 * wrong. A function that returns false has printed one line; the subcommand then returns 2.
 */

/* An option of a subcommand, and the variable that receives its value: exactly one of the pointers
 * after `is_needed` is set. The last entry of a table has no name and receives the words that are
 * not options ("-", and everything after "--"): `text` receives one word, `rest` all words. If
 * neither is set, such words are errors. */
struct argument {
    const char *name;   /* the option without dashes: "seed" for --seed */
    const char *called; /* what messages call the option or word: "--data DIR", "FILE" */
    bool is_needed; /* whether the argument must be given. Only for `text`, which stays NULL if the
                       argument is missing */
    bool *flag;     /* set to true if the option, which takes no value, is given */
    const char **text; /* receives the value of an option with a text, borrowed from argv */
    uint32_t *number;  /* receives the value of an option with a number */
    uint32_t min, max; /* smallest and largest allowed number */
    struct settings
        *settings; /* receives the KEY=VALUE texts of an option that may be given several times */
    char ***rest;  /* receives the words that are not options, ended by NULL; borrowed from argv */
};

/* Reads the words after argv[0], up to NULL. The variable of an option that is not given keeps its
 * value. */
bool arguments_read(const struct subcommand *self, const struct argument *known_arguments,
                    char **argv) MUST_CHECK;

/* Reads the arguments of a subcommand whose only option is --data DIR. Returns DIR, borrowed from
 * argv; NULL after printing an error. */
const char *arguments_read_data_dir(const struct subcommand *self, char **argv);

/* Reads a decimal number from min to max; anything else is an error. `what` names the number in
 * error messages ("--games"). */
bool arguments_parse_number(const struct subcommand *self, const char *what, const char *text,
                            uint32_t min, uint32_t max, uint32_t *number) MUST_CHECK;

/* Reads a seed of 64 hex digits, upper or lower case. */
bool arguments_parse_seed(const struct subcommand *self, const char *text,
                          uint8_t seed[SEED_BYTES]) MUST_CHECK;

bool arguments_find_game(const struct subcommand *self, const char *game_id,
                         const struct game_def **game) MUST_CHECK;

/* how many times --option may be given in one command line */
#define SETTINGS_MAX 16

/* The "key=value" texts given with --option, borrowed from argv. They set options of the game, and
 * are checked once the game is known. */
struct settings {
    const char *at[SETTINGS_MAX];
    size_t count;
};

/* Makes the configuration of a game. `players` is the text given with --players; NULL if it was not
 * given. */
bool arguments_make_game_config(const struct subcommand *self, const struct game_def *game,
                                const char *players, const struct settings *settings,
                                struct game_config *config) MUST_CHECK;

/* A `print_lists` function: prints the policies that --bots takes. */
void arguments_print_policies(void);
