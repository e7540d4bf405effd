#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "lobby/protocol/protocol.h"
#include "storage/storage.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* Generated at each build by commit.cmake: COMMIT_TEXT, the commit from which the program was
 * built, as 40 hexadecimal digits, followed by " with uncommitted changes" if the files differed
 * from it; or "unknown". No other file may include it, because every file that includes it is
 * compiled again after each commit. */
#include "daemon/cli/commit.inc"

void version_print(void)
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
};

int subcommand_report_wrong_usage(const char *format, ...)
{
    va_list args;
    fprintf(stderr, "trickhouse %s: ", program_invocation_short_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, _(" (see: trickhouse help %s)\n"), program_invocation_short_name);
    return 2;
}

int subcommand_fail(const char *what, const char *why)
{
    fprintf(stderr, "trickhouse %s: %s: %s\n", program_invocation_short_name, what, why);
    return 1;
}

bool report_failure(const char *what, const char *why)
{
    return subcommand_fail(what, why) == 0;
}

const struct subcommand *subcommand_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(subcommands); i++) {
        if (strcmp(subcommands[i].name, name) == 0) {
            return &subcommands[i];
        }
    }
    return NULL;
}

const struct subcommand *subcommand_at(size_t index)
{
    return index < ARRAY_LEN(subcommands) ? &subcommands[index] : NULL;
}
