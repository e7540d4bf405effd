#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/processes.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns how often a core of this house has died. */
static uint64_t count_core_deaths(const char *data_dir)
{
    struct metrics_page *page = must_allocate(sizeof *page);
    pid_t house_pid = 0;
    uint64_t deaths = 0;
    if (data_dir_find_supervisor(data_dir, &house_pid) == DATA_DIR_OK &&
        metrics_page_read(data_dir, house_pid, page)) {
        deaths = page->lives[LIFE_FIRST].restarts;
    }
    free(page);
    return deaths;
}

static int reload_house(const char *data_dir)
{
    char said[OPERATOR_SAID_MAX];
    long log_from = house_log_length(data_dir);
    uint64_t deaths_before = count_core_deaths(data_dir);
    switch (operator_replace_core(data_dir, "reload", said)) {
    case OPERATOR_OK:
        break;
    case OPERATOR_REFUSED:
        (void)subcommand_fail(
            &reload_subcommand, data_dir,
            _("nothing has changed, because the house could not open with these settings:"));
        fprintf(stderr, "%s\n", said);
        return 1;
    case OPERATOR_CLOSED:
        return subcommand_fail(&reload_subcommand, data_dir,
                               _("no open house uses the data in this folder"));
    case OPERATOR_FAILED:
        return subcommand_fail(&reload_subcommand, data_dir, operator_explain_failure());
    case OPERATOR_WAITS:
        (void)subcommand_fail(&reload_subcommand, data_dir, _("the house is reloaded, but waits:"));
        fprintf(stderr, "%s\n", said);
        return 1;
    case OPERATOR_STAYED:
        house_log_print_error(data_dir, log_from);
        return subcommand_fail(&reload_subcommand, data_dir,
                               _("nothing has changed; see the house's log"));
    }
    if (count_core_deaths(data_dir) > deaths_before) {
        return subcommand_fail(&reload_subcommand, data_dir,
                               _("the core has died meanwhile, and was started again; see the "
                                 "house's log"));
    }
    printf(_("The house is reloaded: version %s. Nobody was disconnected.\n"), said);
    return 0;
}

static int reload_subcommand_run(char **argv)
{
    const char *data_dir = arguments_read_data_dir(&reload_subcommand, argv);
    return data_dir == NULL ? 2 : reload_house(data_dir);
}

const struct subcommand reload_subcommand = {
    .name = "reload",
    .args = "--data DIR",
    .help = N_("Make an open house read its settings again and run a newer program."),
    .more = N_("Everybody stays connected. The house starts the program that is now at the path\n"
               "of the running one, with the same options, and reads its configuration again. A\n"
               "change of the ports takes effect only when the house is closed and opened again.\n"
               "Before, it tries all that it needs: options, settings, keys, log and data. If\n"
               "something is wrong, nothing changes, and the errors are printed.\n"
               "If the house was opened with DIR/house.conf, that file must still exist; it may\n"
               "be empty."),
    .run = reload_subcommand_run,
};
