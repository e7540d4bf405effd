#include "daemon/base/i18n.h"
#include "daemon/cli/subcommand.h"

#include <stdio.h>
#include <string.h>

/* The exit status of a command that has printed what it had to. */
static int finish(void)
{
    if (fflush(stdout) != 0) {
        perror("trickhouse");
        return 1;
    }
    return 0;
}

static void print_usage(FILE *out)
{
    fputs(_("Trickhouse, a card house you can ssh into.\n\nusage: trickhouse COMMAND [...]\n\n"),
          out);
    const struct subcommand *command;
    for (size_t i = 0; (command = subcommand_at(i)) != NULL; i++) {
        if (!command->is_internal) {
            fprintf(out, "  %-10s %s\n", command->name, _(command->help));
        }
    }
    fputs(_("  help       Explain one of the commands above.\n\n"
            "trickhouse --version prints the version.\n"),
          out);
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stdout);
        return finish();
    }
    const struct subcommand *command = subcommand_find(argv[1]);
    if (command == NULL) {
        fprintf(stderr, _("trickhouse help: no command \"%s\" (see: trickhouse --help)\n"),
                argv[1]);
        return 2;
    }
    printf(_("usage: trickhouse %s %s\n\n%s\n"), command->name, command->args, _(command->help));
    if (command->more != NULL) {
        printf("\n%s\n", _(command->more));
    }
    return finish();
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        return help(argc - 1, argv + 1);
    }
    if (strcmp(name, "--version") == 0) {
        puts("trickhouse " TRICKHOUSE_VERSION);
        return finish();
    }
    const struct subcommand *command = subcommand_find(name);
    if (command == NULL) {
        fprintf(stderr, _("trickhouse: no command \"%s\" (see: trickhouse --help)\n"), name);
        return 2;
    }
    if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
        char *words[] = {argv[0], argv[1], NULL};
        return help(2, words);
    }
    return command->run(argc - 1, argv + 1);
}
