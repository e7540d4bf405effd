#include "tests/bench/load/tables.h"

#include "tests/bench/load/echo.h"
#include "tests/bench/load/house_play.h"
#include "tests/bench/load/table_play.h"
#include "tests/times.h"

#include <stdio.h>
#include <stdlib.h>

#define SECOND_US 1000000
#define SET_UP_AT_A_TIME 8 /* tables */

/* All tables of a run. */
struct tables {
    struct run *run;
    struct table *each;
    int count;
    struct table_results results;
};

static void hear(void *context, int member, const char *bytes, size_t len)
{
    struct tables *tables = context;
    if (member < tables->count * TABLE_PEOPLE) {
        table_hear(&tables->each[member / TABLE_PEOPLE], member % TABLE_PEOPLE, bytes, len);
    }
}

/* Opens tables and seats people, at a few tables at a time. */
static bool all_are_set_up(void *context)
{
    struct tables *tables = context;
    int busy = 0, ready = 0;
    for (int i = 0; i < tables->count && busy < SET_UP_AT_A_TIME; i++) {
        table_set_up(&tables->each[i], times_now_us());
        busy += table_is_being_set_up(&tables->each[i]) ? 1 : 0;
        ready += table_is_set_up(&tables->each[i]) ? 1 : 0;
    }
    return ready == tables->count;
}

static bool play_on(void *context)
{
    struct tables *tables = context;
    for (int i = 0; i < tables->count; i++) {
        table_play(&tables->each[i], times_now_us());
    }
    return false;
}

/* Seats everybody. Returns the number of tables whose game has begun. */
static int set_up(struct tables *tables)
{
    struct run *run = tables->run;
    int playing = 0;
    for (int i = 0; i < tables->count; i++) {
        table_init(&tables->each[i], &run->crowd, i * TABLE_PEOPLE, &tables->results);
    }
    /* Each step has a limit of its own, so this ends. */
    crowd_run(&run->crowd, INT64_MAX / 2, all_are_set_up, tables);
    for (int i = 0; i < tables->count; i++) {
        playing += table_has_begun(&tables->each[i]) ? 1 : 0;
    }
    reasons_print(&tables->results.failed, "tables did not begin");
    run->has_failed |= playing < tables->count;
    return playing;
}

static void report_moves(struct tables *tables, double window_s)
{
    struct report *report = &tables->run->report;
    struct table_results *results = &tables->results;
    size_t count = results->count;
    (void)times_sort(results->times_ms, count);
    report_set(report, "moves_per_s", "  moves a second", 1, results->moves / window_s);
    report_set(report, "move_p50_ms", "  move seen by another, median (ms)", 2,
               report_quantile(results->times_ms, count, 0.5));
    report_set(report, "move_p99_ms", "  move seen by another, 99 % (ms)", 2,
               report_quantile(results->times_ms, count, 0.99));
    report_set(report, "move_worst_ms", "  move seen by another, worst (ms)", 2,
               report_quantile(results->times_ms, count, 1));
    report_set(report, "moves_unseen", "  moves that somebody did not see in time", 0,
               results->unseen);
    report_set(report, "moves_refused", "  keys that made no move", 0, results->refused);
    if (results->unseen > 0 || results->moves == 0) {
        fprintf(stderr, "load: %d moves were seen by all, %d not within %d s\n", results->moves,
                results->unseen, tables->run->options->timeout_s);
        tables->run->has_failed = true;
    }
}

static void report_cpu(struct run *run, struct server_cpu *before)
{
    struct server_cpu after;
    if (run->server.pid == 0 || !server_read_cpu(&run->server, &after)) {
        return;
    }
    double window_s = (double)(after.at_us - before->at_us) / SECOND_US;
    report_set(&run->report, "play_cpu_ms_per_s", "  CPU of the server (ms a second)", 1,
               (after.total_ms - before->total_ms) / window_s);
    report_set(&run->report, "play_busiest_ms_per_s", "  CPU of its busiest process (ms a second)",
               1, server_busiest_ms(before, &after) / window_s);
    server_cpu_clear(&after);
}

static void report_echo(struct run *run, const struct echo *echo)
{
    size_t count = (size_t)echo->count;
    report_set(&run->report, "play_echo_p50_ms", "  key to echo meanwhile, median (ms)", 3,
               report_quantile(echo->times_ms, count, 0.5));
    report_set(&run->report, "play_echo_p99_ms", "  key to echo meanwhile, 99 % (ms)", 3,
               report_quantile(echo->times_ms, count, 0.99));
}

/* Lets everybody play for the time that is measured. */
static void play(struct tables *tables)
{
    struct run *run = tables->run;
    struct server_cpu before = {0};
    struct echo echo;
    bool has_echo = run->options->echoes > 0 && echo_start(&echo, run->options);
    if (run->server.pid > 0) {
        run->has_failed |= !server_read_cpu(&run->server, &before);
    }
    int64_t begin_us = times_now_us();
    for (int i = 0; i < tables->count; i++) {
        table_begin_moves(&tables->each[i], begin_us, run->options->move_every_s);
    }
    crowd_run(&run->crowd, begin_us + (int64_t)run->options->play_s * SECOND_US, play_on, tables);
    report_moves(tables, (double)(times_now_us() - begin_us) / SECOND_US);
    report_cpu(run, &before);
    server_cpu_clear(&before);
    if (has_echo) {
        run->has_failed |= !echo_finish(&echo);
        report_echo(run, &echo);
        echo_clear(&echo);
    }
}

void tables_measure(struct run *run)
{
    struct tables tables = {.run = run, .count = run->options->tables};
    if (tables.count == 0) {
        return;
    }
    tables.each = calloc((size_t)tables.count, sizeof(*tables.each));
    if (tables.each == NULL || !table_results_init(&tables.results, run->options->timeout_s)) {
        fprintf(stderr, "load: out of memory\n");
        run->has_failed = true;
    } else {
        run->crowd.on_output = hear;
        run->crowd.context = &tables;
        int playing = set_up(&tables);
        report_set(&run->report, "tables", "tables in play", 0, playing);
        if (playing > 0) {
            phases_settle(run);
            play(&tables);
        }
        run->crowd.on_output = NULL;
    }
    table_results_clear(&tables.results);
    free(tables.each);
}
