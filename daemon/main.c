#include "daemon/cli/subcommand.h"

#include <stdio.h>
#include <string.h>

static void print_usage(FILE *out)
{
    fputs("Trickhouse, a card house you can ssh into.\n\nusage: trickhouse COMMAND [...]\n\n", out);
    const struct subcommand *command;
    for (size_t i = 0; (command = subcommand_at(i)) != NULL; i++) {
        fprintf(out, "  %-10s %s\n", command->name, command->help);
    }
    fputs("  help       Explain one of the commands above.\n\n"
          "trickhouse --version prints the version.\n",
          out);
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stdout);
        return 0;
    }
    const struct subcommand *command = subcommand_find(argv[1]);
    if (command == NULL) {
        fprintf(stderr, "trickhouse help: no command \"%s\" (see: trickhouse --help)\n", argv[1]);
        return 2;
    }
    printf("usage: trickhouse %s %s\n\n%s\n", command->name, command->args, command->help);
    if (command->more != NULL) {
        printf("\n%s\n", command->more);
    }
    return 0;
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
        return 0;
    }
    const struct subcommand *command = subcommand_find(name);
    if (command == NULL) {
        fprintf(stderr, "trickhouse: no command \"%s\" (see: trickhouse --help)\n", name);
        return 2;
    }
    if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
        char *words[] = {argv[0], argv[1], NULL};
        return help(2, words);
    }
    return command->run(argc - 1, argv + 1);
}
