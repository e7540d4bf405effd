#pragma once

#include "daemon/cli/subcommand.h"

/*
 * `bench NAME`: each benchmark is a function here and an entry in benches.def, from which dispatch
 * and help come. argv[0] is the benchmark's name; the exit status is as a subcommand's.
 */
int bench_engine(char **argv);
int bench_storage(char **argv);

/* The program as the readers of its arguments know it. */
extern const struct subcommand bench_program;
