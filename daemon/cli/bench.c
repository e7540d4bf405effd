#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"

#include <string.h>

static int bench_run(char **argv)
{
    if (argv[1] == NULL) {
        return subcommand_report_wrong_usage(&bench_subcommand,
                                             _("what to measure is missing; it can be: bots"));
    }
    if (strcmp(argv[1], "bots") != 0) {
        return subcommand_report_wrong_usage(&bench_subcommand,
                                             _("\"%s\" cannot be measured, only bots"), argv[1]);
    }
    return bench_bots_run(&bench_subcommand, argv + 1, NULL);
}

const struct subcommand bench_subcommand = {
    .name = "bench",
    .args = "bots GAME --players N [--bots PLAYER[,PLAYER...]] [--deals D]\n"
            "       [--rounds R] [--move-seconds S] [--option KEY=VALUE ...]",
    .help = N_("Measure how strong a bot is."),
    .more =
        N_("  --players N          number of players\n"
           "  --bots PLAYER[,...]  the measured player, then its opponents, the last one for\n"
           "                       all seats that are left (strong,medium)\n"
           "  --deals D            number of deals (100)\n"
           "  --rounds R           end each game after R rounds\n"
           "  --move-seconds S     time of a program for each move (10)\n"
           "  --option KEY=VALUE   an option of the game, such as length=short-up;\n"
           "                       may be given several times\n"
           "\n"
           "A player is a policy (see below) or exec:COMMAND. The measured player plays\n"
           "every deal once in each seat, so that luck counts for little. The figures are\n"
           "the share of games that it wins, its points a round less the mean of the\n"
           "others' points, its points a round, its rank, the time of its choices between\n"
           "several moves (half of them took less, and 99 in 100 less), and how fast it\n"
           "searches. Each mean is printed with half of its 95 % interval, in which a deal\n"
           "counts once.\n"
           "\n"
           "exec:COMMAND is a program of yours, started by /bin/sh, in a process of its own\n"
           "for each player of the list. It reads one JSON object per line from its\n"
           "standard input, with \"game\", \"players\", \"options\", the number of the game\n"
           "(\"table\") and the \"view\" of its seat, and answers each with one line, a move\n"
           "of the view's \"legal\", which it must not hold back in a buffer. A wrong, late or\n"
           "missing answer ends everything. The program ends when its input does. A comma in\n"
           "COMMAND is written \\, because commas separate the players."),
    .print_lists = arguments_print_policies,
    .run = bench_run,
};
