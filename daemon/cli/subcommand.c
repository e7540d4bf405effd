#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"

#include <errno.h>
#include <stdarg.h>

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
