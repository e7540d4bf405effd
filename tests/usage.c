#include "daemon/cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* Programs that read their arguments as the subcommands of trickhouse do (daemon/cli/cli.h)
 * report wrong usage with their own name. */
int subcommand_report_wrong_usage(const char *format, ...)
{
    va_list args;
    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, " (see: %s --help)\n", program_invocation_short_name);
    return 2;
}
