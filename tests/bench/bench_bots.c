#include "daemon/cli/bench_bots.h"
#include "tests/bench/bench.h"

int bench_bots(char **argv)
{
    return bench_bots_run(&bench_program, argv, NULL);
}
