#include "daemon/cli/bench.h"

#include "daemon/base/i18n.h"
#include "daemon/cli/subcommand.h"

#include <string.h>

struct bench {
    const char *name;
    int (*run)(int argc, char **argv);
};

static const struct bench benches[] = {
#define BENCH(name, run, args, help) {name, run},
#include "daemon/cli/benches.def"
#undef BENCH
};

static int bench_run(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < ARRAY_LEN(benches); i++) {
        if (strcmp(argv[1], benches[i].name) == 0) {
            return benches[i].run(argc - 1, argv + 1);
        }
    }
    if (argc > 1) {
        return subcommand_usage(&bench_subcommand, _("there is nothing called \"%s\" to measure"),
                                argv[1]);
    }
    return subcommand_usage(&bench_subcommand, _("what to measure is missing"));
}

const struct subcommand bench_subcommand = {
    .name = "bench",
    .args = "WHAT [...]",
    .help = N_("Measure how fast this machine runs the house."),
    .more =
#define BENCH(name, run, args, help) "  " name " " args "\n      " help "\n"
#include "daemon/cli/benches.def"
#undef BENCH
        , .run = bench_run,
};
