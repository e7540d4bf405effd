#include "tests/cluster/chaos_failures.h"
#include "tests/cluster/cluster_losses.h"
#include "tests/times.h"

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
 * chaos PROGRAM ROUNDS alone|cluster [TABLES [control]]
 *
 * A round causes every kind of failure once, in random order, one at a time. With `alone`, PROGRAM
 * runs as one house on SQLite. With `control`, something must be lost: PROGRAM is then a faulty
 * program that tells changes before it commits them (alone), or the standby replicates
 * asynchronously, and only failures happen that then lose something (cluster).
 */

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

static struct chaos chaos;
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
static bool has_failure(const struct failure *failure, bool is_control)
{
    if (chaos.rig == NULL) {
        return !failure->needs_cluster;
    }
    return !failure->is_for_alone && (!is_control || failure->loses_if_asynchronous);
}

/* Causes each failure once, in random order. */
static bool run_round(bool is_control)
{
    size_t order[FAILURES_MAX];
    size_t count = 0;
    bool is_good = true;
    for (size_t i = 0; i < failure_count; i++) {
        if (has_failure(&failures[i], is_control)) {
            order[count++] = i;
        }
    }
    for (; count > 0 && is_good; count--) {
        size_t drawn = randombytes_uniform((uint32_t)count);
        is_good = run_failure(order[drawn]);
        order[drawn] = order[count - 1];
    }
    return is_good;
}

static void print_times(void)
{
    for (size_t i = 0; i < failure_count; i++) {
        struct times *times = &all_times[i];
        if (times->count > 0) {
            times_sort_integers(times->ms, times->count);
            printf("%s: %u times; until a table's next move: median %" PRId64
                   " ms, 99 %% within %" PRId64 " ms, worst %" PRId64 " ms\n",
                   failures[i].name, times->failures, times->ms[times->count / 2],
                   times->ms[times->count * 99 / 100], times->ms[times->count - 1]);
        }
        free(times->ms);
    }
}

/* Starts primary and standby. Their state lies in memory that is shared with helpers. */
static void start_databases(bool is_control, char url[POSTGRES_RIG_URL_SIZE])
{
    void *shared =
        mmap(NULL, sizeof(*chaos.rig), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("chaos: mmap");
        exit(2);
    }
    chaos.rig = shared;
    postgres_rig_start_pair(chaos.rig, !is_control);
    postgres_rig_write_url(chaos.rig, "house", url);
}

static bool run(unsigned long rounds, bool is_control)
{
    struct crowd *crowd = &chaos.crowd;
    int64_t begun_ms = crowd_now_ms();
    bool is_good = crowd_wait_for_moves(crowd, BEGIN_MS);
    for (unsigned long i = 0; i < rounds && is_good; i++) {
        is_good = run_round(is_control);
    }
    crowd_finish_moves(crowd);
    struct gambler_counts counts = crowd_sum_counts(crowd);
    printf("%lu rounds, %" PRIu64 " moves acknowledged, %" PRIu64 " connections, %" PRIu64
           " resyncs, %" PRId64 " s\n",
           rounds, counts.moves, counts.connections, counts.resyncs,
           (crowd_now_ms() - begun_ms) / 1000);
    print_times();
    return is_good;
}

int main(int argc, char **argv)
{
    static char url[POSTGRES_RIG_URL_SIZE];
    bool is_cluster = argc > 3 && strcmp(argv[3], "cluster") == 0;
    if (argc < 4 || (!is_cluster && strcmp(argv[3], "alone") != 0) || sodium_init() < 0) {
        fprintf(stderr, "usage: chaos PROGRAM ROUNDS alone|cluster [TABLES [control]]\n");
        return 2;
    }
    if (is_cluster && !postgres_rig_is_installed()) {
        return POSTGRES_RIG_SKIPPED;
    }
    bool is_control = argc > 5;
    struct crowd_setup setup;
    if (!crowd_setup_read(&setup, argv[1], argv[4])) {
        return 2;
    }
    if (is_cluster) {
        start_databases(is_control, url);
        setup.url = url;
        setup.nodes = NODES;
    }
    crowd_open(&chaos.crowd, &setup);
    bool is_good = run(strtoul(argv[2], NULL, 10), is_control);
    is_good = crowd_close(&chaos.crowd) && is_good;
    is_good = cluster_losses_check(&chaos.crowd, is_control) && is_good;
    if (is_cluster) {
        postgres_rig_stop(chaos.rig);
    }
    crowd_clear(&chaos.crowd, !is_good);
    return is_good ? 0 : 1;
}
