#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"

/* Prints the list of queries. */

static void write_help(struct query_run *run)
{
    lines_put(&run->out,
              _("ssh HOST             enters the house: the lobby, the tables, everything."));
    lines_put(&run->out, _("ssh HOST QUERY       prints one answer:"));
    const struct query *query;
    for (size_t i = 0; (query = query_at(i)) != NULL; i++) {
        struct text text = TEXT_OF(LINES_LINE_MAX);
        if (run->is_guest && query->who == QUERY_FOR_PEOPLE) {
            continue;
        }
        text_put(&text, "  ");
        query_write_usage(query, &text);
        text_put(&text, ": ");
        text_put(&text, _(query->help));
        lines_put(&run->out, text.at);
    }
    lines_put(&run->out, _("--json: the answer is one line of JSON."));
    lines_put(&run->out,
              _("Exit status: 0 answered, 1 refused or not found, 2 not a valid query."));
    lines_put(&run->out,
              _("ssh -s HOST api      for programs that play: the protocol, one message a line."));
}

const struct query help_query = {
    .name = "help",
    .args = "",
    .help = N_("This list of queries."),
    .who = QUERY_FOR_ALL,
    .write = write_help,
};
