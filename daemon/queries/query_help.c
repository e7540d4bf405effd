#include "daemon/base/i18n.h"
#include "daemon/queries/query.h"
#include "daemon/screens/drawing/usage.h"

/* Help, made from the list of queries. */

static void help_write(struct query_run *run)
{
    lines_put(&run->out,
              _("ssh HOST             enters the house: the lobby, the tables, everything."));
    lines_put(&run->out, _("ssh HOST QUERY       asks one thing:"));
    for (size_t i = 0; query_at(i) != NULL; i++) {
        const struct query *query = query_at(i);
        char help[LINES_LINE_MAX];
        struct text text = text_init(help, sizeof help);
        text_put(&text, _(query->help));
        if (query->who != QUERY_FOR_ALL) {
            text_put(&text, " ");
            text_put(&text, _("Not for guests."));
        }
        usage_put(&(struct usage){"  ", query->name, query->args, help}, &run->out);
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
    .write = help_write,
};
