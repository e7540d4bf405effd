#include "tests/bench/bench.h"

#include "games/macros.h"

#include <stdio.h>
#include <string.h>

/*
 * Measures how fast this machine runs the engine and the storage: build/release/tests/bench. It
 * reads its arguments as the subcommands of trickhouse do (daemon/cli/cli.h).
 */

static const struct bench {
    const char *name;
    int (*run)(char **argv);
} benches[] = {
#define BENCH(name, run, args, print_help) {name, run},
#include "tests/bench/benches.def"
#undef BENCH
};

static int print_help(void)
{
    fputs("usage: bench WHAT [...]\n\n"
          "Measure how fast this machine runs the house.\n\n"
#define BENCH(name, run, args, print_help) "  " name " " args "\n      " print_help "\n"
#include "tests/bench/benches.def"
#undef BENCH
          ,
          stdout);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        return subcommand_report_wrong_usage("what to measure is missing");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return print_help();
    }
    for (size_t i = 0; i < ARRAY_LEN(benches); i++) {
        if (strcmp(argv[1], benches[i].name) == 0) {
            const int status = benches[i].run(argv + 1);
            return status == 0 && (fflush(stdout) != 0 || ferror(stdout) != 0) ? 1 : status;
        }
    }
    return subcommand_report_wrong_usage("there is nothing called \"%s\" to measure", argv[1]);
}
