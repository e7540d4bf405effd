#include "tests/kills/crowd.h"
#include "tests/kills/killer.h"
#include "tests/times.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Kills the core again and again while many people play at many tables. Measures how long it takes
 * until the house accepts the next move at each table, and whether anybody loses the connection.
 *
 * restarts PROGRAM RESTARTS TABLES [PEOPLE]
 *
 * PEOPLE people (default 5) and a bot sit at each table and move about once a second. After a kill,
 * the player whose turn it is moves as soon as the new core shows the table.
 */

#define PACE_MS 1000
#define COME_MS 180000  /* time limit for everybody to begin to play */
#define BETWEEN_MS 4000 /* pause between restarts */
#define WITHIN_MS 20000 /* time limit for a move at every table */
#define RESTARTS_MAX 1000

static void set_everybodys_pace(struct crowd *crowd, int pace_ms)
{
    for (unsigned i = 0; i < crowd->count; i++) {
        gambler_set_pace(crowd->gamblers[i], pace_ms, 0);
    }
}

/* Runs until a move was made at every table. Returns false when that takes too long. */
static bool wait_for_first_moves(struct crowd *crowd, int64_t within_ms)
{
    int64_t begun_ms = crowd_now_ms();
    while (!crowd_has_first_moves(crowd)) {
        if (crowd_now_ms() - begun_ms > within_ms) {
            return false;
        }
        crowd_run_pass(crowd);
    }
    return true;
}

/* Kills the core once. Appends to `times` how long each table waited for its next move. Returns
 * false when the game does not continue at some table. */
static bool restart_core(struct crowd *crowd, int64_t *times, size_t *count)
{
    int64_t killed_ms = crowd_watch_for_first_moves(crowd);
    set_everybodys_pace(crowd, 0);
    bool is_on = killer_kill_random_process(crowd->nodes[0].supervisor, VICTIM_CORE) &&
                 wait_for_first_moves(crowd, WITHIN_MS);
    set_everybodys_pace(crowd, PACE_MS);
    for (unsigned i = 0; i < crowd->setup.companies && is_on; i++) {
        times[(*count)++] = crowd->counts[i].first_ms - killed_ms;
    }
    return is_on;
}

int main(int argc, char **argv)
{
    static struct crowd crowd;
    static int64_t times[RESTARTS_MAX * CROWD_COMPANIES_MAX];
    size_t count = 0;
    if (argc < 4 || sodium_init() < 0) {
        fprintf(stderr, "usage: restarts PROGRAM RESTARTS TABLES [PEOPLE]\n");
        return 2;
    }
    unsigned long restarts = strtoul(argv[2], NULL, 10);
    struct crowd_setup setup = {
        .program = argv[1],
        .companies = (unsigned)strtoul(argv[3], NULL, 10),
        .people = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 5,
        .bots = 1,
        .policy = "easy",
    };
    if (restarts == 0 || restarts > RESTARTS_MAX || setup.companies == 0 ||
        setup.companies > CROWD_COMPANIES_MAX ||
        setup.companies * setup.people > CROWD_PEOPLE_MAX) {
        fprintf(stderr, "restarts: up to %d restarts, %d tables, %d people in all\n", RESTARTS_MAX,
                CROWD_COMPANIES_MAX, CROWD_PEOPLE_MAX);
        return 2;
    }
    crowd_open(&crowd, &setup);
    set_everybodys_pace(&crowd, PACE_MS);
    (void)crowd_watch_for_first_moves(&crowd);
    bool is_good = wait_for_first_moves(&crowd, COME_MS);
    uint64_t connections = crowd_sum_counts(&crowd).connections;
    for (unsigned long i = 0; i < restarts && is_good; i++) {
        crowd_run_passes_for_ms(&crowd, BETWEEN_MS);
        is_good = restart_core(&crowd, times, &count);
    }
    uint64_t lost = crowd_sum_counts(&crowd).connections - connections;
    crowd_finish_moves(&crowd);
    is_good = crowd_close(&crowd) && is_good && lost == 0;
    times_sort_integers(times, count);
    if (count > 0) {
        printf("%u people at %u tables, %lu restarts of the core: %" PRIu64
               " connections lost; until "
               "a table's next move: median %" PRId64 " ms, 99 %% within %" PRId64
               " ms, worst %" PRId64 " ms\n",
               setup.companies * setup.people, setup.companies, restarts, lost, times[count / 2],
               times[count * 99 / 100], times[count - 1]);
    }
    crowd_clear(&crowd, !is_good);
    return is_good ? 0 : 1;
}
