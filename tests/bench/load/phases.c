#include "tests/bench/load/phases.h"

#include "tests/bench/load/echo.h"
#include "tests/times.h"

#include <stdio.h>
#include <stdlib.h>

#define WINDOW_US 200000
#define QUIET_WINDOWS 2
#define QUIET_MS_PER_S 20.0 /* CPU below which a server counts as quiet */
#define SECOND_US 1000000

/* CPU time and clock at one moment. */
struct moment {
    struct server_cpu server;
    double client_ms;
    bool is_known;
};

static void read_moment(struct run *run, struct moment *out)
{
    *out = (struct moment){0};
    if (run->server.pid > 0) {
        out->is_known = server_read_cpu(&run->server, &out->server);
        run->has_failed |= !out->is_known;
    }
    out->client_ms = times_read_clock_s(CLOCK_PROCESS_CPUTIME_ID) * 1000.0 - run->server.own_cpu_ms;
}

/* Waits until the server is quiet, which it is at once when its process is unknown, and then reads
 * the moment. Prints a message if the server is not quiet in time. */
static void settle(struct run *run, struct moment *out)
{
    int64_t deadline_us = times_now_us() + (int64_t)run->options->settle_s * SECOND_US;
    int quiet = 0;
    read_moment(run, out);
    while (out->is_known && quiet < QUIET_WINDOWS) {
        struct moment next;
        crowd_run(&run->crowd, times_now_us() + WINDOW_US, NULL, NULL);
        read_moment(run, &next);
        double window_s = (double)(next.server.at_us - out->server.at_us) / SECOND_US;
        double used_ms = next.server.total_ms - out->server.total_ms;
        quiet = used_ms < QUIET_MS_PER_S * window_s ? quiet + 1 : 0;
        server_cpu_clear(&out->server);
        *out = next;
        if (times_now_us() > deadline_us) {
            fprintf(stderr, "load: the server was not quiet after %d s\n", run->options->settle_s);
            break;
        }
    }
    if (run->server.pid == 0) {
        crowd_run(&run->crowd, times_now_us() + QUIET_WINDOWS * WINDOW_US, NULL, NULL);
        read_moment(run, out);
    }
}

void phases_settle(struct run *run)
{
    struct moment moment;
    settle(run, &moment);
    server_cpu_clear(&moment.server);
}

bool phases_read_start(struct run *run)
{
    if (run->server.pid == 0) {
        return true;
    }
    phases_settle(run);
    return !run->has_failed && server_read_memory(&run->server, &run->at_start);
}

static bool everybody_has_arrived(void *context)
{
    const struct crowd *crowd = context;
    return crowd->arriving_count == 0;
}

/* Lets members `first` to `first + count - 1` come in, and waits for them. Returns the sorted times
 * to the first screen in ms, their number in *in; NULL without memory. The caller frees them. */
static double *bring(struct run *run, int first, int count, int *in)
{
    struct crowd *crowd = &run->crowd;
    double *times_ms = calloc((size_t)count + 1, sizeof(*times_ms));
    for (int i = first; i < first + count; i++) {
        crowd_enter(crowd, i);
    }
    /* Each arrival has a limit of its own, so this ends. */
    crowd_run(crowd, INT64_MAX / 2, everybody_has_arrived, crowd);
    *in = 0;
    for (int i = first; times_ms != NULL && i < first + count; i++) {
        if (crowd->members[i].took_us >= 0) {
            times_ms[(*in)++] = (double)crowd->members[i].took_us / 1000.0;
        }
    }
    if (times_ms == NULL) {
        fprintf(stderr, "load: out of memory\n");
        run->has_failed = true;
        return NULL;
    }
    (void)times_sort(times_ms, (size_t)*in);
    return times_ms;
}

void phases_fill(struct run *run, int count)
{
    struct report *report = &run->report;
    struct moment before, after;
    int added = count - run->people, in;
    settle(run, &before);
    int64_t begin_us = times_now_us();
    double *times_ms = bring(run, run->people, added, &in);
    double took_s = (double)(times_now_us() - begin_us) / SECOND_US;
    run->people = count;
    settle(run, &after);
    report_set(report, "came_in", "connections that came in", 0, run->crowd.in_count);
    if (times_ms != NULL && in > 0) {
        report_set(report, "fill_arrivals_per_s", "while they come in: arrivals a second", 1,
                   in / took_s);
        report_set(report, "fill_first_screen_p50_ms", "  first screen, median (ms)", 2,
                   report_quantile(times_ms, (size_t)in, 0.5));
        report_set(report, "fill_first_screen_p99_ms", "  first screen, 99 % (ms)", 2,
                   report_quantile(times_ms, (size_t)in, 0.99));
        report_set(report, "fill_first_screen_worst_ms", "  first screen, worst (ms)", 2,
                   times_ms[in - 1]);
        report_set(report, "fill_client_cpu_ms", "  CPU of the bench a connect (ms)", 2,
                   (after.client_ms - before.client_ms) / in);
    }
    if (in > 0 && before.is_known && after.is_known) {
        report_set(report, "fill_cpu_ms", "  CPU of the server a connect (ms)", 2,
                   (after.server.total_ms - before.server.total_ms) / in);
    }
    free(times_ms);
    server_cpu_clear(&before.server);
    server_cpu_clear(&after.server);
}

void phases_measure_memory(struct run *run, struct server_memory *before, int added)
{
    struct report *report = &run->report;
    struct server_memory now;
    if (run->server.pid == 0 || added == 0 || run->crowd.in_count == 0) {
        return;
    }
    if (!server_read_memory(&run->server, &now)) {
        run->has_failed = true;
        return;
    }
    const struct server_memory *start = &run->at_start;
    double people = run->crowd.in_count;
    report_set(report, "processes", "processes of the server", 0, now.count);
    report_set(report, "start_pss_kib", "memory (PSS) before the first connection (KiB)", 0,
               start->pss_kib);
    report_set(report, "pss_kib", "memory (PSS) of the whole server (KiB)", 0, now.pss_kib);
    report_set(report, "pss_whole_each_kib", "  of the whole server, a connection (KiB)", 1,
               now.pss_kib / people);
    report_set(report, "pss_each_kib", "  more than before the first, a connection (KiB)", 1,
               (now.pss_kib - start->pss_kib) / people);
    report_set(report, "pss_added_kib", "  of those added in this step, a connection (KiB)", 1,
               (now.pss_kib - before->pss_kib) / added);
    report_set(report, "private_each_kib", "  private pages, a connection (KiB)", 1,
               (now.private_kib - start->private_kib) / people);
    report_set(report, "page_tables_each_kib", "page tables, a connection (KiB)", 1,
               (now.page_tables_kib - start->page_tables_kib) / people);
    report_set(report, "kernel_each_kib", "kernel memory of the machine, a connection (KiB)", 1,
               (now.kernel_kib - start->kernel_kib) / people);
    *before = now;
}

void phases_measure_idle(struct run *run)
{
    struct moment before, after;
    run->idle_ms_per_s = 0;
    if (run->options->idle_s == 0 || run->server.pid == 0) {
        return;
    }
    read_moment(run, &before);
    crowd_run(&run->crowd, times_now_us() + (int64_t)run->options->idle_s * SECOND_US, NULL, NULL);
    read_moment(run, &after);
    if (before.is_known && after.is_known) {
        double window_s = (double)(after.server.at_us - before.server.at_us) / SECOND_US;
        run->idle_ms_per_s = (after.server.total_ms - before.server.total_ms) / window_s;
        report_set(&run->report, "idle_cpu_ms_per_s", "idle: CPU of the server (ms a second)", 2,
                   run->idle_ms_per_s);
        report_set(&run->report, "idle_cpu_each_us_per_s", "  a connection (us a second)", 2,
                   run->idle_ms_per_s * 1000.0 / (run->people > 0 ? run->people : 1));
    }
    server_cpu_clear(&before.server);
    server_cpu_clear(&after.server);
}

static void report_extra(struct run *run, const double *times_ms, int in)
{
    struct report *report = &run->report;
    report_set(report, "first_screen_p50_ms", "  first screen, median (ms)", 2,
               report_quantile(times_ms, (size_t)in, 0.5));
    report_set(report, "first_screen_p99_ms", "  first screen, 99 % (ms)", 2,
               report_quantile(times_ms, (size_t)in, 0.99));
    report_set(report, "first_screen_worst_ms", "  first screen, worst (ms)", 2, times_ms[in - 1]);
}

void phases_measure_extra(struct run *run)
{
    struct moment before, after;
    int extra = run->options->extra, in;
    if (extra == 0) {
        return;
    }
    settle(run, &before);
    int64_t begin_us = times_now_us();
    double *times_ms = bring(run, run->people, extra, &in);
    double took_s = (double)(times_now_us() - begin_us) / SECOND_US;
    settle(run, &after);
    if (times_ms != NULL && in > 0) {
        report_set(&run->report, "arrivals_per_s", "the next arrivals: arrivals a second", 1,
                   in / took_s);
        report_extra(run, times_ms, in);
    }
    if (in > 0 && before.is_known && after.is_known) {
        double window_s = (double)(after.server.at_us - before.server.at_us) / SECOND_US;
        double used_ms = after.server.total_ms - before.server.total_ms;
        report_set(&run->report, "cpu_ms", "  CPU of the server a connect, less idle CPU (ms)", 2,
                   (used_ms - run->idle_ms_per_s * window_s) / in);
        report_set(&run->report, "cpu_raw_ms", "  CPU of the server a connect, all (ms)", 2,
                   used_ms / in);
        report_set(&run->report, "client_cpu_ms", "  CPU of the bench a connect (ms)", 2,
                   (after.client_ms - before.client_ms) / in);
    }
    free(times_ms);
    server_cpu_clear(&before.server);
    server_cpu_clear(&after.server);
    for (int i = run->people; i < run->people + extra; i++) {
        crowd_leave(&run->crowd, i);
    }
}

/* Arrivals at a steady pace, who leave once they are in. */
struct stream {
    struct run *run;
    struct echo *echo;
    int64_t begin_us;
    int begun; /* how many arrivals have begun */
    double *times_ms;
    int count, most;
};

/* Lets those leave who have come in, begins the arrivals that are due, and returns whether the echo
 * has been measured. */
static bool keep_arriving(void *context)
{
    struct stream *stream = context;
    struct crowd *crowd = &stream->run->crowd;
    int places = crowd->capacity - stream->run->people;
    int64_t due =
        (times_now_us() - stream->begin_us) * stream->run->options->arrivals_per_s / SECOND_US;
    for (int i = stream->run->people; i < crowd->capacity; i++) {
        if (crowd->members[i].state == MEMBER_IN) {
            if (stream->count < stream->most) {
                stream->times_ms[stream->count++] = (double)crowd->members[i].took_us / 1000.0;
            }
            crowd_leave(crowd, i);
        }
    }
    while (stream->begun < due) {
        int member = stream->run->people + stream->begun % places;
        if (crowd->members[member].state == MEMBER_ARRIVING) {
            break; /* the server is too slow for this pace */
        }
        crowd_enter(crowd, member);
        stream->begun++;
    }
    return echo_is_over(stream->echo);
}

static void report_echo(struct run *run, const struct echo *echo, const struct stream *stream)
{
    struct report *report = &run->report;
    size_t count = (size_t)echo->count;
    report_set(report, "echo_p50_ms", "key to echo during arrivals, median (ms)", 3,
               report_quantile(echo->times_ms, count, 0.5));
    report_set(report, "echo_p99_ms", "  99 % (ms)", 3,
               report_quantile(echo->times_ms, count, 0.99));
    report_set(report, "echo_worst_ms", "  worst (ms)", 3,
               report_quantile(echo->times_ms, count, 1));
    if (stream->count > 0) {
        double took_s = (double)(times_now_us() - stream->begin_us) / SECOND_US;
        (void)times_sort(stream->times_ms, (size_t)stream->count);
        report_set(report, "echo_arrivals_per_s", "  arrivals a second meanwhile", 1,
                   stream->count / took_s);
        report_set(report, "echo_first_screen_p50_ms", "  their first screen, median (ms)", 2,
                   report_quantile(stream->times_ms, (size_t)stream->count, 0.5));
        report_set(report, "echo_first_screen_p99_ms", "  their first screen, 99 % (ms)", 2,
                   report_quantile(stream->times_ms, (size_t)stream->count, 0.99));
    }
}

void phases_measure_echo(struct run *run)
{
    const int times_most = 100000;
    struct echo echo;
    if (run->options->echoes == 0) {
        return;
    }
    phases_settle(run);
    struct stream stream = {.run = run, .echo = &echo, .most = times_most};
    stream.times_ms = calloc((size_t)times_most, sizeof(*stream.times_ms));
    if (stream.times_ms == NULL || !echo_start(&echo, run->options)) {
        free(stream.times_ms);
        run->has_failed = true;
        return;
    }
    int64_t most_us = (int64_t)run->options->echoes * run->options->timeout_s * SECOND_US;
    stream.begin_us = times_now_us();
    crowd_run(&run->crowd, stream.begin_us + most_us, keep_arriving, &stream);
    run->has_failed |= !echo_finish(&echo);
    report_echo(run, &echo, &stream);
    crowd_run(&run->crowd, INT64_MAX / 2, everybody_has_arrived, &run->crowd);
    for (int i = run->people; i < run->crowd.capacity; i++) {
        crowd_leave(&run->crowd, i);
    }
    echo_clear(&echo);
    free(stream.times_ms);
}
