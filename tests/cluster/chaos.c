#include "tests/cluster/chaos_failures.h"
#include "tests/cluster/cluster_losses.h"
#include "tests/times.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Lets machines and processes fail while groups of people play as fast as they can through the real
 * ssh client, on three nodes of one house with a PostgreSQL primary and its standby. After each
 * failure, measures how long each table waits for its next move. At the end, compares the stored
 * data with what the house has told the players, and replays every game.
 *
 * chaos PROGRAM ROUNDS alone|cluster [options]
 *
 * A round causes every kind of failure once, in random order, one at a time. With `alone`, PROGRAM
 * runs as one house on SQLite.
 */

static const char usage[] =
    "usage: chaos PROGRAM ROUNDS alone|cluster [options]\n"
    "  --tables N      groups of three people with a bot (6)\n"
    "  --pace MS       each person thinks for that long before a move (0)\n"
    "  --only FAILURE  causes only this failure, named as in the report\n"
    "  --within MS     fails unless 99 % of all tables go on within that time after a failure\n"
    "  --control       something must be lost: PROGRAM is a faulty program that tells changes\n"
    "                  before it commits them (alone), or the standby replicates\n"
    "                  asynchronously, and only failures happen that then lose something "
    "(cluster)\n";

#define NODES 3
#define FAILURES_MAX 16
#define TIMES_MAX 100000
#define BEGIN_MS 60000
#define WITHIN_MS 60000 /* time limit for a move at every table after a failure */
#define BETWEEN_MIN_MS 500
#define BETWEEN_MORE_MS 2000

struct times {
    int64_t *ms; /* how long tables waited, by failures and tables */
    size_t count;
    unsigned failures;
};

struct choices {
    const char *tables, *only; /* NULL: the usual number; every failure */
    int pace_ms;
    int64_t within_ms; /* 0: no limit */
    bool is_control;
};

static struct chaos chaos;
static struct choices choices;
static struct times all_times[FAILURES_MAX];

/* Runs a step of a failure in a helper process, or nothing for NULL. Returns its process id, or
 * 0. */
static pid_t start_helper(void (*step)(struct chaos *))
{
    fflush(stdout);
    pid_t helper = step == NULL ? 0 : fork();
    if (helper < 0) {
        perror("chaos: fork");
        exit(2);
    }
    if (step != NULL && helper == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        step(&chaos);
        _exit(0);
    }
    return helper;
}

/* Whether the helper has ended. Ends this process if the helper failed. */
static bool helper_has_ended(pid_t *helper)
{
    int status = 0;
    if (*helper != 0 && waitpid(*helper, &status, WNOHANG) == *helper) {
        *helper = 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fprintf(stderr, "chaos: a helper failed\n");
            exit(2);
        }
    }
    return *helper == 0;
}

/* Whether every node is open. A node that has been killed is not. */
static bool nodes_are_open(struct crowd *crowd)
{
    bool are_open = true;
    for (unsigned i = 0; i < crowd->node_count; i++) {
        struct node *node = &crowd->nodes[i];
        if (node->supervisor != 0 && node_has_ended(node)) {
            fprintf(stderr, "chaos: node %u has ended\n", i + 1);
            exit(2);
        }
        are_open = node->supervisor != 0 && node_is_open(node, 0) && are_open;
    }
    return are_open;
}

static void start_dead_nodes(struct crowd *crowd)
{
    for (unsigned i = 0; i < crowd->node_count; i++) {
        if (crowd->nodes[i].supervisor == 0) {
            node_start(&crowd->nodes[i], crowd->setup.program);
        }
    }
}

/* Lets people play until there was a move at every table and the helper has ended. Returns false if
 * that takes too long. */
static bool play_on(struct crowd *crowd, pid_t helper, bool needs_nodes)
{
    int64_t begun_ms = crowd_now_ms();
    bool is_done = false;
    while (!is_done && crowd_now_ms() - begun_ms < WITHIN_MS) {
        crowd_run_pass(crowd);
        bool are_open = nodes_are_open(crowd);
        bool has_ended = helper_has_ended(&helper);
        is_done = has_ended && crowd_has_first_moves(crowd) && (are_open || !needs_nodes);
    }
    return is_done;
}

static void record_times(struct times *times, const struct crowd *crowd, int64_t since_ms)
{
    if (times->ms == NULL) {
        times->ms = calloc(TIMES_MAX, sizeof(*times->ms));
    }
    times->failures++;
    for (unsigned i = 0; times->ms != NULL && i < crowd->setup.companies; i++) {
        if (times->count < TIMES_MAX) {
            times->ms[times->count++] = crowd->counts[i].first_ms - since_ms;
        }
    }
}

/* Causes one failure, and mends it. Returns false if the house does not go on. */
static bool run_failure(size_t index)
{
    const struct failure *failure = &failures[index];
    struct crowd *crowd = &chaos.crowd;
    crowd_run_passes_for_ms(crowd, BETWEEN_MIN_MS + randombytes_uniform(BETWEEN_MORE_MS));
    int64_t since_ms = crowd_watch_for_first_moves(crowd);
    if (!failure->cause(&chaos)) {
        fprintf(stderr, "chaos: %s: there is nothing to fail\n", failure->name);
        return false;
    }
    if (!play_on(crowd, start_helper(failure->go_on), false)) {
        fprintf(stderr, "chaos: after \"%s\" the game does not go on at every table\n",
                failure->name);
        return false;
    }
    record_times(&all_times[index], crowd, since_ms);
    start_dead_nodes(crowd);
    pid_t helper = start_helper(failure->mend);
    (void)crowd_watch_for_first_moves(crowd);
    if (!play_on(crowd, helper, true)) {
        fprintf(stderr, "chaos: \"%s\" cannot be mended\n", failure->name);
        return false;
    }
    return true;
}

/* Whether this run causes that failure. */
static bool has_failure(const struct failure *failure)
{
    if (choices.only != NULL && strcmp(choices.only, failure->name) != 0) {
        return false;
    }
    if (chaos.rig == NULL) {
        return !failure->needs_cluster;
    }
    return !failure->is_for_alone && (!choices.is_control || failure->loses_if_asynchronous);
}

/* Causes each failure once, in random order. Returns false if there is none. */
static bool run_round(void)
{
    size_t order[FAILURES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < failure_count; i++) {
        if (has_failure(&failures[i])) {
            order[count++] = i;
        }
    }
    bool is_good = count > 0;
    if (!is_good) {
        fprintf(stderr, "chaos: no such failure happens here\n");
    }
    for (; count > 0 && is_good; count--) {
        size_t drawn = randombytes_uniform((uint32_t)count);
        is_good = run_failure(order[drawn]);
        order[drawn] = order[count - 1];
    }
    return is_good;
}

/* Prints how long tables waited. Returns false if that is longer than it may be. */
static bool print_times(void)
{
    bool is_good = true;
    for (size_t i = 0; i < failure_count; i++) {
        struct times *times = &all_times[i];
        if (times->count > 0) {
            times_sort_integers(times->ms, times->count);
            int64_t most_ms = times->ms[times->count * 99 / 100];
            bool is_late = choices.within_ms > 0 && most_ms > choices.within_ms;
            is_good = is_good && !is_late;
            printf("%s: %u times; until a table's next move: median %" PRId64
                   " ms, 99 %% within %" PRId64 " ms, worst %" PRId64 " ms\n",
                   failures[i].name, times->failures, times->ms[times->count / 2], most_ms,
                   times->ms[times->count - 1]);
            if (is_late) {
                fprintf(stderr, "chaos: %s: 99 %% of the tables must go on within %" PRId64 " ms\n",
                        failures[i].name, choices.within_ms);
            }
        }
        free(times->ms);
    }
    return is_good;
}

/* Starts primary and standby. Their state lies in memory that is shared with helpers. */
static void start_databases(char url[POSTGRES_RIG_URL_SIZE])
{
    void *shared =
        mmap(NULL, sizeof(*chaos.rig), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("chaos: mmap");
        exit(2);
    }
    chaos.rig = shared;
    postgres_rig_start_pair(chaos.rig, !choices.is_control);
    postgres_rig_write_url(chaos.rig, "house", url);
}

static bool run(unsigned long rounds)
{
    struct crowd *crowd = &chaos.crowd;
    for (unsigned i = 0; i < crowd->count; i++) {
        gambler_set_pace(crowd->gamblers[i], choices.pace_ms, 0);
    }
    int64_t begun_ms = crowd_now_ms();
    bool is_good = crowd_wait_for_moves(crowd, BEGIN_MS);
    for (unsigned long i = 0; i < rounds && is_good; i++) {
        is_good = run_round();
    }
    crowd_finish_moves(crowd);
    struct gambler_counts counts = crowd_sum_counts(crowd);
    printf("%lu rounds, %" PRIu64 " moves acknowledged, %" PRIu64 " connections, %" PRIu64
           " resyncs, %" PRId64 " s\n",
           rounds, counts.moves, counts.connections, counts.resyncs,
           (crowd_now_ms() - begun_ms) / 1000);
    return print_times() && is_good;
}

static bool read_choices(int argc, char **argv)
{
    static const struct option options[] = {
        {"tables", required_argument, NULL, 't'}, {"pace", required_argument, NULL, 'p'},
        {"only", required_argument, NULL, 'o'},   {"within", required_argument, NULL, 'w'},
        {"control", no_argument, NULL, 'c'},      {0},
    };
    for (int found; (found = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (found) {
        case 't':
            choices.tables = optarg;
            break;
        case 'p':
            choices.pace_ms = (int)strtol(optarg, NULL, 10);
            break;
        case 'o':
            choices.only = optarg;
            break;
        case 'w':
            choices.within_ms = strtol(optarg, NULL, 10);
            break;
        case 'c':
            choices.is_control = true;
            break;
        default:
            return false;
        }
    }
    return argc - optind == 3;
}

int main(int argc, char **argv)
{
    static char url[POSTGRES_RIG_URL_SIZE];
    bool is_readable = read_choices(argc, argv) && sodium_init() >= 0;
    char **words = argv + optind;
    bool is_cluster = is_readable && strcmp(words[2], "cluster") == 0;
    if (!is_readable || (!is_cluster && strcmp(words[2], "alone") != 0)) {
        fputs(usage, stderr);
        return 2;
    }
    if (is_cluster && !postgres_rig_is_installed()) {
        return POSTGRES_RIG_SKIPPED;
    }
    struct crowd_setup setup;
    if (!crowd_setup_read(&setup, words[0], choices.tables)) {
        return 2;
    }
    if (is_cluster) {
        start_databases(url);
        setup.url = url;
        setup.nodes = NODES;
    }
    crowd_open(&chaos.crowd, &setup);
    bool is_good = run(strtoul(words[1], NULL, 10));
    is_good = crowd_close(&chaos.crowd) && is_good;
    is_good = cluster_losses_check(&chaos.crowd, choices.is_control) && is_good;
    if (is_cluster) {
        postgres_rig_stop(chaos.rig);
    }
    crowd_clear(&chaos.crowd, !is_good);
    return is_good ? 0 : 1;
}
