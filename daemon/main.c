#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "games/text.h"
#include "lobby/protocol/protocol.h"
#include "storage/storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Generated at each build by commit.cmake: COMMIT_TEXT, the commit from which the program was
 * built, as 40 hexadecimal digits, followed by " with uncommitted changes" if the files differed
 * from it; or "unknown". No other file may include it, because every file that includes it is
 * compiled again after each commit. */
#include "daemon/cli/commit.inc"

#define NAME_SHOWN 32

/* Prints one item a line. The first line is always "trickhouse VERSION". */
static void print_version(void)
{
    puts("trickhouse " TRICKHOUSE_VERSION);
    printf(_("commit             %s\n"), COMMIT_TEXT);
    printf(_("protocol           %d\n"), PROTOCOL_NUMBER);
    printf(_("histories          %s%d\n"), HISTORY_FORMAT, GAME_FORMAT);
    printf(_("data format        %zu\n"), storage_schema_version());
}

static const struct subcommand subcommands[] = {
#define SUBCOMMAND(row, word, arguments, sentence, ...)                                            \
    {.name = (word),                                                                               \
     .args = (arguments),                                                                          \
     .help = (sentence),                                                                           \
     .run = subcommand_run_##row,                                                                  \
     __VA_ARGS__},
#include "daemon/cli/subcommands.def"
#undef SUBCOMMAND
    {.name = NULL},
};

/* Returns NULL if no subcommand has this name. */
static const struct subcommand *find_subcommand(const char *name)
{
    const struct subcommand *command = subcommands;
    while (command->name != NULL && strcmp(command->name, name) != 0) {
        command++;
    }
    return command->name != NULL ? command : NULL;
}

/* Opens /dev/null in place of each closed standard descriptor, in a mode in which reading and
 * printing fail. Otherwise the first file to be opened, such as the database, would get that
 * descriptor, and printed text would go into the file. */
static void open_missing_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
            _exit(1);
        }
    }
}

/* Flushes the output of a command that ends with this exit status. Returns the status, or 1 if the
 * output could not be written. */
static int flush_command_output(const char *command, int status)
{
    bool was_whole = ferror(stdout) == 0;
    int error = errno; /* commands stop once writing fails */
    if ((fclose(stdout) == 0 && was_whole) || status != 0) {
        return status; /* a command that failed has already printed why */
    }
    error = was_whole ? errno : error;
    fprintf(stderr, _("trickhouse %s: cannot write the output: %s\n"), command,
            strerror(error != 0 ? error : EIO));
    return 1;
}

static void print_usage(FILE *out)
{
    fputs(_("Trickhouse, a card house you can ssh into.\n\nusage: trickhouse COMMAND [...]\n\n"),
          out);
    for (const struct subcommand *command = subcommands; command->name != NULL; command++) {
        if (!command->is_internal) {
            fprintf(out, "  %-12s %s\n", command->name, _(command->help));
        }
    }
    fprintf(out, "  %-12s %s\n\n%s\n", "help", _("Explain one of the commands above."),
            _("trickhouse --version prints the version, its commit and the formats it supports."));
}

static int print_help(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stdout);
        return 0;
    }
    const struct subcommand *command = find_subcommand(argv[1]);
    if (command == NULL) {
        fprintf(stderr, _("trickhouse help: no command \"%s\" (see: trickhouse --help)\n"),
                argv[1]);
        return 2;
    }
    printf(_("usage: trickhouse %s %s\n\n%s\n"), command->name, command->args, _(command->help));
    if (command->more != NULL) {
        printf("\n%s\n", _(command->more));
    }
    if (command->lists_policies) {
        struct text names = TEXT_OF(POLICY_NAMES_BYTES);
        policy_write_names(&names);
        printf(_("\nPolicies: %s.\n"), names.at);
    }
    return 0;
}

static int run_command(const char *name, int argc, char **argv)
{
    static const char *const helps[] = {"--help", "-h", "help", NULL};
    if (text_find_word(helps, name) >= 0) {
        return print_help(argc - 1, argv + 1);
    }
    if (strcmp(name, "--version") == 0) {
        print_version();
        return 0;
    }
    const struct subcommand *command = find_subcommand(name);
    if (command == NULL) {
        fprintf(stderr, _("trickhouse: no command \"%s\" (see: trickhouse --help)\n"), name);
        return 2;
    }
    if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
        char *words[] = {argv[0], argv[1], NULL};
        return print_help(2, words);
    }
    return command->run(argv + 1);
}

int main(int argc, char **argv)
{
    open_missing_standard_descriptors();
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    char name[NAME_SHOWN]; /* copied, since a process of the house overwrites its arguments with its
                              name */
    (void)snprintf(name, sizeof name, "%s", argv[1]);
    program_invocation_short_name = name; /* messages begin with it */
    return flush_command_output(name, run_command(argv[1], argc, argv));
}
