#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "lobby/protocol/protocol.h"
#include "storage/storage.h"

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

#define SUBCOMMAND(row, word, arguments, sentence, ...)                                            \
    const struct subcommand row##_subcommand = {.name = (word),                                    \
                                                .args = (arguments),                               \
                                                .help = (sentence),                                \
                                                .run = subcommand_run_##row,                       \
                                                __VA_ARGS__};
#include "daemon/cli/subcommands.def"
#undef SUBCOMMAND

static const struct subcommand *const subcommands[] = {
#define SUBCOMMAND(row, ...) &row##_subcommand,
#include "daemon/cli/subcommands.def"
#undef SUBCOMMAND
    NULL,
};

int subcommand_report_wrong_usage(const struct subcommand *self, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "trickhouse %s: ", self->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, _(" (see: trickhouse help %s)\n"), self->name);
    return 2;
}

int subcommand_fail(const struct subcommand *self, const char *what, const char *why)
{
    fprintf(stderr, "trickhouse %s: %s: %s\n", self->name, what, why);
    return 1;
}

const struct subcommand *subcommand_find(const char *name)
{
    for (size_t i = 0; subcommands[i] != NULL; i++) {
        if (strcmp(subcommands[i]->name, name) == 0) {
            return subcommands[i];
        }
    }
    return NULL;
}

const struct subcommand *subcommand_at(size_t index)
{
    return index < ARRAY_LEN(subcommands) ? subcommands[index] : NULL;
}
