#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"

#include <stdarg.h>
#include <string.h>

static const struct subcommand *const subcommands[] = {
#define SUBCOMMAND(name) &(name),
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
