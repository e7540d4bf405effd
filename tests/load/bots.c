#include "tests/bench/load/echo.h"
#include "tests/bench/load/report.h"
#include "tests/bench/load/server.h"
#include "tests/kills/crowd.h"
#include "tests/load/load.h"
#include "tests/times.h"

#include <sched.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Measures whether a house on one core is fast enough for many strong bots: how late their moves
 * are shown, and how long people wait for the echo of a key meanwhile. One person and three bots
 * sit at each table; people think about as long as people do.
 *
 * load_bots PROGRAM [TABLES [SECONDS [POLICY]]]
 *
 * The house runs on the first core that this program may use, the people on the second. There, the
 * thread that measures the echo comes before the others: it must not wait for 200 people who read
 * their views. This needs root. Every table plays a random game for four.
 */

#define BOTS 3
#define BOT_DELAY_MS 900
/* People think for 12 s in the mean: 0.8 s, and more by an exponential distribution. */
#define THINK_LEAST_MS 800
#define THINK_MEAN_MORE_MS 11200
#define COME_MS 180000 /* time limit until everybody plays */
#define TIMES_MAX 1000000
#define ECHOES "100000"  /* more than there is time for */
#define LATE_US 50000    /* more than the transport of messages explains */
#define LATEST_US 600000 /* a move that is shown 1.5 s after the one before */

/* How much later than their pace the bots' moves were shown. */
struct lateness {
    double *us;
    size_t count;
    bool is_measured; /* false until all games have begun */
};

struct watched_table {
    struct lateness *lateness;
    int64_t shown_us; /* when the latest move was shown */
    int64_t round;
    bool is_round_new; /* no move was made since the deal: a stop came between */
};

static bool holds_cards(const json_t *view, const char *key)
{
    return json_array_size(json_object_get(view, key)) > 0;
}

static void record_lateness(struct watched_table *table, const json_t *before, int64_t now_us)
{
    struct lateness *lateness = table->lateness;
    bool is_trick_over = !holds_cards(before, "trick") && holds_cards(before, "past");
    int64_t delay_us = BOT_DELAY_MS * (is_trick_over ? INT64_C(2000) : INT64_C(1000));
    if (lateness->is_measured && lateness->count < TIMES_MAX) {
        lateness->us[lateness->count++] = (double)(now_us - table->shown_us - delay_us);
    }
}

/* Notes when a move is shown. If it was not the person's turn, a bot has made it. */
static void see_view(void *context, const json_t *before, const json_t *view)
{
    struct watched_table *table = context;
    int64_t now_us = times_now_us();
    int64_t step = ledger_read_number(view, "step");
    bool is_next = before != NULL && step == ledger_read_number(before, "step") + 1;
    if (before != NULL && step == ledger_read_number(before, "step")) {
        return; /* no move: something else has changed */
    }
    if (is_next && !holds_cards(before, "legal") && !table->is_round_new) {
        record_lateness(table, before, now_us);
    }
    int64_t round = ledger_read_number(view, "round");
    table->is_round_new = before == NULL || round != table->round;
    table->round = round;
    table->shown_us = now_us;
}

/* Finds the first two cores that this program may use. */
static void find_cores(size_t cores[2])
{
    cpu_set_t allowed;
    int found = 0;
    fail_unless(sched_getaffinity(0, sizeof(allowed), &allowed) == 0, "load_bots: no cores");
    for (size_t core = 0; core < CPU_SETSIZE && found < 2; core++) {
        if (CPU_ISSET(core, &allowed)) {
            cores[found++] = core;
        }
    }
    fail_unless(found == 2, "load_bots needs two cores: one for the house, one for the people");
}

/* From now on, this program and the processes that it starts run on this core. */
static void use_core(size_t core)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    fail_unless(sched_setaffinity(0, sizeof(one), &one) == 0, "load_bots: the core is refused");
}

static bool start_echo(struct echo *echo, struct options *options, int port)
{
    char name[] = "load_bots", port_option[] = "--port", echoes_option[] = "--echoes";
    char number[16], echoes[] = ECHOES;
    (void)snprintf(number, sizeof(number), "%d", port);
    char *arguments[] = {name, port_option, number, echoes_option, echoes, NULL};
    struct sched_param first = {.sched_priority = 1};
    if (options_read(5, arguments, options) != 0 || !echo_start(echo, options)) {
        return false;
    }
    fail_unless(pthread_setschedparam(echo->thread, SCHED_FIFO, &first) == 0,
                "load_bots: real-time scheduling is refused; it needs root");
    return true;
}

static void print_lateness(struct lateness *lateness)
{
    size_t count = lateness->count, late = 0, latest = 0;
    for (size_t i = 0; i < count; i++) {
        late += lateness->us[i] > LATE_US;
        latest += lateness->us[i] > LATEST_US;
    }
    (void)times_sort(lateness->us, count);
    printf("moves of bots %zu; shown later than their pace by: half %.1f  99 %% %.1f  most %.1f "
           "ms; %zu by more than 50 ms, %zu by more than 600 ms\n",
           count, report_quantile(lateness->us, count, 0.5) / 1000,
           report_quantile(lateness->us, count, 0.99) / 1000,
           report_quantile(lateness->us, count, 1) / 1000, late, latest);
}

static void print_echo(const struct echo *echo)
{
    size_t count = (size_t)echo->count;
    printf("keys %zu; shown after: half %.2f  99 %% %.2f  most %.2f ms\n", count,
           report_quantile(echo->times_ms, count, 0.5),
           report_quantile(echo->times_ms, count, 0.99), report_quantile(echo->times_ms, count, 1));
}

/* Lets everybody play for that time, and prints the figures. */
static bool measure(struct crowd *crowd, struct lateness *lateness, unsigned long seconds)
{
    static struct options options;
    static struct echo echo;
    struct server server = {.pid = crowd->nodes[0].supervisor};
    struct server_cpu before, after;
    if (!start_echo(&echo, &options, crowd->nodes[0].port)) {
        return false;
    }
    fail_unless(server_read_cpu(&server, &before), "load_bots: the house's CPU time is unknown");
    lateness->is_measured = true;
    int64_t until_ms = crowd_now_ms() + (int64_t)seconds * 1000;
    while (crowd_now_ms() < until_ms) {
        crowd_run_pass(crowd);
    }
    lateness->is_measured = false;
    fail_unless(server_read_cpu(&server, &after), "load_bots: the house's CPU time is unknown");
    bool is_good = echo_finish(&echo) && echo.count > 0 && lateness->count > 0;
    double window_ms = (double)(after.at_us - before.at_us) / 1000;
    printf("%u tables of a person and %d bots (%s); %.1f moves of bots a second; the house used "
           "%.0f %% of its core, the busiest process %.0f %%\n",
           crowd->setup.companies, BOTS, crowd->setup.policy,
           (double)lateness->count * 1000 / window_ms,
           (after.total_ms - before.total_ms) * 100 / window_ms,
           server_busiest_ms(&before, &after) * 100 / window_ms);
    print_lateness(lateness);
    print_echo(&echo);
    server_cpu_clear(&before);
    server_cpu_clear(&after);
    echo_clear(&echo);
    return is_good;
}

static void set_everybodys_pace(struct crowd *crowd, int least_ms, int mean_more_ms)
{
    for (unsigned i = 0; i < crowd->count; i++) {
        gambler_set_pace(crowd->gamblers[i], least_ms, mean_more_ms);
    }
}

static void watch_tables(struct crowd *crowd, struct watched_table *tables,
                         struct lateness *lateness)
{
    for (unsigned i = 0; i < crowd->count; i++) {
        tables[i].lateness = lateness;
        crowd->counts[i].watch = (struct gambler_watch){see_view, &tables[i]};
    }
}

static unsigned long read_number(int argc, char **argv, int index, unsigned long default_number)
{
    return argc > index ? strtoul(argv[index], NULL, 10) : default_number;
}

int main(int argc, char **argv)
{
    static struct crowd crowd;
    static struct watched_table tables[CROWD_COMPANIES_MAX];
    static double lateness_us[TIMES_MAX];
    struct lateness lateness = {.us = lateness_us};
    size_t cores[2] = {0, 0};
    unsigned long count = read_number(argc, argv, 2, 200);
    unsigned long seconds = read_number(argc, argv, 3, 60);
    if (argc < 2 || sodium_init() < 0 || count == 0 || count > CROWD_COMPANIES_MAX ||
        seconds == 0) {
        fprintf(stderr, "usage: load_bots PROGRAM [TABLES [SECONDS [POLICY]]], up to %d tables\n",
                CROWD_COMPANIES_MAX);
        return 2;
    }
    find_cores(cores);
    struct crowd_setup setup = {
        .program = argv[1],
        .companies = (unsigned)count,
        .people = 1,
        .bots = BOTS,
        .policy = argc > 4 ? argv[4] : "strong",
        .bot_delay_ms = BOT_DELAY_MS,
    };
    use_core(cores[0]);
    crowd_open(&crowd, &setup);
    use_core(cores[1]);
    watch_tables(&crowd, tables, &lateness);
    set_everybodys_pace(&crowd, THINK_LEAST_MS, 0);
    bool is_good = crowd_wait_for_moves(&crowd, COME_MS);
    if (is_good) {
        set_everybodys_pace(&crowd, THINK_LEAST_MS, THINK_MEAN_MORE_MS);
        is_good = measure(&crowd, &lateness, seconds);
    }
    crowd_finish_moves(&crowd);
    is_good = crowd_close(&crowd) && is_good;
    crowd_clear(&crowd, !is_good);
    return is_good ? 0 : 1;
}
