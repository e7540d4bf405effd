#include "daemon/base/i18n.h"
#include "daemon/queries/query.h"

#include <stdio.h>

/* Help, made from the list of queries. */

static void help_tell(struct query_run *run)
{
    lines_put(&run->out, _("ssh HOST             comes in: the lobby, the tables, everything."));
    lines_put(&run->out, _("ssh HOST COMMAND     only asks:"));
    for (size_t i = 0; query_at(i) != NULL; i++) {
        const struct query *query = query_at(i);
        lines_format(&run->out, "  %s%s%s", query->name, query->args[0] == '\0' ? "" : " ",
                     query->args);
        lines_format(&run->out, "      %s%s", _(query->help),
                     query->who == QUERY_FOR_ALL ? "" : _(" Not for guests."));
    }
    lines_put(&run->out, _("--json after any of them but mod and help: one line for programs."));
    lines_put(&run->out, _("Exit status: 0 done, 1 refused or unknown, 2 not understood."));
    lines_put(&run->out,
              _("ssh -s HOST api      programs that play: the protocol, a message a line."));
}

const struct query help_query = {
    .name = "help",
    .args = "",
    .help = N_("This list."),
    .who = QUERY_FOR_ALL,
    .tell = help_tell,
};
