#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/history.h"
#include "lobby/protocol/protocol.h"
#include "storage/storage.h"

#include <stdio.h>

void version_print(void)
{
    puts("trickhouse " TRICKHOUSE_VERSION);
    printf(_("commit             %s\n"), commit_text());
    printf(_("protocol           %d\n"), PROTOCOL_NUMBER);
    printf(_("histories          %s%d\n"), HISTORY_FORMAT, GAME_FORMAT);
    printf(_("data format        %zu\n"), storage_schema_version());
}
