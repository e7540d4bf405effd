#include "daemon/cli/cli.h"

/* Generated at each build by commit.cmake: COMMIT_TEXT. No other file may include it, because every
 * file that includes it is compiled again after each commit. */
#include "daemon/cli/commit.inc"

const char *commit_text(void)
{
    return COMMIT_TEXT;
}
