#include "daemon/metrics/metrics.h"
#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints the numbers of the page as they are now. */
static int print_metrics(const char *data_dir, pid_t house_pid)
{
    struct metrics_page *page = must_allocate(sizeof *page);
    struct output output = output_begin();
    if (!metrics_page_read(data_dir, house_pid, page)) {
        int error = errno;
        free(page);
        return subcommand_fail(&metrics_subcommand, data_dir,
                               error == ESTALE || error == ENOENT
                                   ? _("the open house runs another version of this program, or "
                                       "could not make the file counters")
                                   : strerror(error));
    }
    life_measure_silence(&(const struct metrics){.page = page}, clock_steady_ms());
    char *text = prometheus_write(page);
    output_write(&output, text, strlen(text));
    free(text);
    free(page);
    return output_end(&output, &metrics_subcommand);
}

static int metrics_run(char **argv)
{
    const char *data_dir = arguments_read_data_dir(&metrics_subcommand, argv);
    if (data_dir == NULL) {
        return 2;
    }
    pid_t house_pid = open_house_find(&metrics_subcommand, data_dir);
    if (house_pid == 0) {
        return subcommand_fail(&metrics_subcommand, data_dir,
                               _("no house is open with these data"));
    }
    return house_pid > 0 ? print_metrics(data_dir, house_pid) : 1;
}

const struct subcommand metrics_subcommand = {
    .name = "metrics",
    .args = "--data DIR",
    .help = N_("Print the metrics of the house that is open with the data in DIR, for Prometheus."),
    .more =
        N_("The setting [metrics] file makes the house write the same to a file. The gauges are\n"
           "those that the core has measured last ([metrics] every_s)."),
    .run = metrics_run,
};
