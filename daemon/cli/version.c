#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "lobby/protocol/protocol.h"
#include "storage/storage.h"

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
