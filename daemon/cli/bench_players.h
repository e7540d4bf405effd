#pragma once

#include "daemon/cli/bench_exec.h"
#include "daemon/cli/bench_player.h"
#include "daemon/cli/subcommand.h"
#include "games/bots/policy.h"

/* A policy as a player. */
struct bench_policy {
    const struct policy *policy;
    struct search *search; /* memory for policies that search */
};

/* The players of a benchmark: the measured one, then its opponents. */
struct bench_players {
    uint8_t count;
    struct bench_player at[SEATS_MAX];
    struct bench_policy policies[SEATS_MAX];
    struct bench_exec *programs[SEATS_MAX]; /* NULL: this player is no program */
    char *words;               /* the list of players, cut into words; `at` points into it */
    struct search searches[2]; /* the measured player's memory, then that of the others */
};

/* What a benchmark's list of players may name besides policies and programs. */
struct bench_player_list {
    const struct bench_player *at; /* a player without a name ends the list; NULL: none */
    uint32_t limit_s;              /* the time for each answer of a program, in seconds */
};

/* Reads a list of `count` players, separated by commas; the last one also takes all places that are
 * left. A word names a policy or one of the `others`, or is `exec:COMMAND`; there, a comma of the
 * command is written `\,`. One process is started for each place. Returns the exit status: 0, or 1
 * or 2 after printing why not. bench_players_clear in any case. */
int bench_players_read(struct bench_players *players, const struct subcommand *self,
                       const char *list, const struct game_def *game, uint8_t count,
                       const struct bench_player_list *others) MUST_CHECK;

/* Returns in how many play-outs the measured player has found its last move; 0 if it did not
 * search for it, or is no policy. `view` is the view of that move. */
uint32_t bench_players_count_playouts(const struct bench_players *players,
                                      const struct game_view *view);

/* Stops the programs and frees the memory. */
void bench_players_clear(struct bench_players *players);
