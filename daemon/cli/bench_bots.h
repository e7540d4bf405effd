#pragma once

#include "daemon/cli/bench_player.h"
#include "daemon/cli/subcommand.h"

/* Measures a player against others and prints the figures: `bench bots`. argv[0] is "bots", the
 * other words are its arguments. `others` are players that the list of players may name besides
 * policies and programs; a player without a name ends them. NULL: none. Returns the exit status,
 * as a subcommand does. */
int bench_bots_run(const struct subcommand *self, char **argv, const struct bench_player *others);
