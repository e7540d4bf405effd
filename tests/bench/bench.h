#pragma once

#include "daemon/cli/cli.h"

/*
 * `bench NAME`: each benchmark is a function here and an entry in benches.def, from which the
 * program finds the benchmark and prints its help. argv[0] is the benchmark's name. The exit status
 * is that of a subcommand.
 */
int bench_engine(char **argv);
int bench_storage(char **argv);
int bench_bots(char **argv);
