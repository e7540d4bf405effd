#include "tests/bench/load/chat.h"
#include "tests/bench/load/options.h"
#include "tests/bench/load/phases.h"
#include "tests/bench/load/tables.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Measures an ssh server while many people connect: see README.md. */

#define SPARE_FILES 256

/* Allows as many open files as there are connections. */
static bool raise_file_limit(int connections)
{
    struct rlimit limit;
    rlim_t needed = (rlim_t)connections + SPARE_FILES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        perror("load: getrlimit");
        return false;
    }
    if (limit.rlim_cur >= needed) {
        return true;
    }
    limit.rlim_cur = needed;
    if (limit.rlim_max < needed) {
        limit.rlim_max = needed; /* only root may */
    }
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        fprintf(stderr, "load: %d connections need `ulimit -n %llu`: ", connections,
                (unsigned long long)needed);
        perror(NULL);
        return false;
    }
    return true;
}

static void run_steps(struct run *run)
{
    const struct options *options = run->options;
    struct server_memory memory = run->at_start;
    for (int i = 0; i < options->step_count; i++) {
        int before = run->people;
        report_begin_column(&run->report, options->steps[i]);
        phases_fill(run, options->steps[i]);
        if (run->crowd.in_count == 0) {
            return;
        }
        phases_measure_memory(run, &memory, options->steps[i] - before);
        phases_measure_idle(run);
        phases_measure_extra(run);
        phases_measure_echo(run);
    }
    chat_measure(run);
    tables_measure(run);
}

static void print_outcome(struct run *run)
{
    report_set(&run->report, "failed", "people who did not come in", 0, run->crowd.failed.total);
    report_set(&run->report, "lost", "people who lost the connection", 0, run->crowd.lost.total);
    if (run->options->is_json) {
        report_print_json(&run->report);
    } else {
        report_print(&run->report);
    }
    fflush(stdout);
    reasons_print(&run->crowd.failed, "did not come in");
    reasons_print(&run->crowd.lost, "lost the connection");
}

int main(int argc, char **argv)
{
    struct options options;
    int status = options_read(argc, argv, &options);
    if (status != 0) {
        return status - 1;
    }
    int connections = options.steps[options.step_count - 1];
    int extra = options.extra > options.arrivals_per_s ? options.extra : options.arrivals_per_s;
    signal(SIGPIPE, SIG_IGN); /* a connection that the server closed is noticed otherwise */
    static struct run run;
    run.options = &options;
    run.server.pid = options.server_pid;
    if (!raise_file_limit(connections + extra)) {
        return 1;
    }
    bool is_good = crowd_init(&run.crowd, &options, connections + extra + options.at_a_time) &&
                   phases_read_start(&run);
    if (is_good) {
        run_steps(&run);
        print_outcome(&run);
        is_good = !run.has_failed && run.crowd.failed.total == 0 && run.crowd.lost.total == 0;
    }
    crowd_clear(&run.crowd);
    return is_good ? 0 : 1;
}
