#include "daemon/base/i18n.h"
#include "daemon/verbs/verb.h"

#include <stdio.h>

/* Help, made from the list of verbs. */

static void help_tell(struct verb_run *run)
{
    lines_put(&run->out, _("ssh HOST             comes in: the lobby, the tables, everything."));
    lines_put(&run->out, _("ssh HOST COMMAND     only asks:"));
    for (size_t i = 0; verb_at(i) != NULL; i++) {
        const struct ssh_verb *verb = verb_at(i);
        lines_format(&run->out, "  %s%s%s", verb->name, verb->args[0] == '\0' ? "" : " ",
                     verb->args);
        lines_format(&run->out, "      %s%s", _(verb->help),
                     verb->who == VERB_FOR_ALL ? "" : _(" Not for guests."));
    }
    lines_put(&run->out, _("--json after any of them but mod and help: one line for programs."));
    lines_put(&run->out, _("Exit status: 0 done, 1 refused or unknown, 2 not understood."));
    lines_put(&run->out,
              _("ssh -s HOST api      programs that play: the protocol, a message a line."));
}

const struct ssh_verb help_verb = {
    .name = "help",
    .args = "",
    .help = N_("This list."),
    .who = VERB_FOR_ALL,
    .tell = help_tell,
};
