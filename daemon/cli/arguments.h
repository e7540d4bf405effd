#pragma once

#include "daemon/cli/subcommand.h"
#include "games/game.h"

#include <stdbool.h>

/*
 * Reads the command lines of the subcommands. getopt is not used: it keeps its position in globals,
 * accepts abbreviations (which break scripts when an option is added) and cannot say which word was
 * wrong. A function that returns false has printed one line; the subcommand then returns 2.
 */

/* An option, and where its value goes: exactly one of the places is set. The last of a table has no
 * name and stands for the words that are no option ("-" is one, and whatever follows "--"): it
 * takes one of them as `text`, all from the first one on as `rest`, or none. */
struct argument {
    const char *name;          /* "seed" for --seed */
    const char *called;        /* in messages: "--data DIR", "FILE"; for those needed, and a word */
    bool is_needed;            /* only for texts, NULL until they are given */
    bool *flag;                /* --name */
    const char **text;         /* --name TEXT, or --name=TEXT; borrowed from argv */
    uint32_t *number;          /* --name N */
    uint32_t min, max;         /* of that number */
    struct settings *settings; /* --name KEY=VALUE, which may be given several times */
    char ***rest;              /* up to NULL; borrowed from argv */
};

/* Reads what follows argv[0], up to NULL; a place whose option is not given keeps its value. */
bool arguments_read(const struct subcommand *self, const struct argument *known,
                    char **argv) MUST_CHECK;

/* For subcommands whose only option is --data DIR: returns DIR, borrowed from argv; NULL after
 * printing one line. */
const char *arguments_data_dir(const struct subcommand *self, char **argv);

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

/* Makes the game's set-up. `players` is the text of --players, NULL if it was not given. */
bool arguments_config(const struct subcommand *self, const struct game_def *game,
                      const char *players, const struct settings *settings,
                      struct game_config *config) MUST_CHECK;
