#include "tests/kills/crowd.h"
#include "tests/kills/killer.h"
#include "tests/kills/losses.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Kills core, gate, sessions, password workers and bots with kill -9 at random moments, while
 * groups of people play as fast as they can through the real ssh client. At the end, compares the
 * stored data with what the house has told the players, and replays every game.
 *
 * kills PROGRAM KILLS [COMPANIES [control]]
 *
 * PROGRAM is the house's program, and COMPANIES is the number of groups. With `control`, PROGRAM
 * must be a faulty program that tells players about changes before it commits them. Then the run
 * succeeds if losses are found, and fails if none are.
 */

#define BEGIN_MS 20000
/* limit for the mean time per kill; when kills take longer, something is wrong */
#define KILL_MAX_MS 1200
#define REPORT_MS 60000

static void print_report(const struct crowd *crowd, const struct killer *killer, int64_t took_ms)
{
    struct gambler_counts counts = crowd_sum_counts(crowd);
    const char *separator = "";
    printf("%" PRIu64 " kills (", killer_count_kills(killer));
    for (int i = 0; i < VICTIM_COUNT; i++) {
        if (killer->kills[i] > 0) {
            printf("%s%s %" PRIu64, separator, killer_victim_name((enum victim)i),
                   killer->kills[i]);
            separator = ", ";
        }
    }
    printf("), %" PRIu64 " moves acknowledged, %" PRIu64 " connections, %" PRIu64
           " resyncs, %" PRId64 " s\n",
           counts.moves, counts.connections, counts.resyncs, took_ms / 1000);
    fflush(stdout);
}

/* Kills `kills` processes, then waits until all requests are answered. Returns false when the house
 * has ended or the kills took too long. */
static bool kill_and_wait(struct crowd *crowd, uint64_t kills)
{
    struct killer killer;
    int64_t begun_ms = crowd_now_ms();
    int64_t told_ms = begun_ms;
    int64_t deadline_ms = begun_ms + BEGIN_MS + (int64_t)kills * KILL_MAX_MS;
    /* a process that dies before the first move could lose nothing */
    while (crowd_sum_counts(crowd).moves == 0 && crowd_now_ms() < deadline_ms) {
        crowd_run_pass(crowd);
    }
    killer_init(&killer, crowd->nodes[0].supervisor, crowd_now_ms());
    while (killer_count_kills(&killer) < kills && crowd_now_ms() < deadline_ms) {
        crowd_run_pass(crowd);
        int64_t now_ms = crowd_now_ms();
        (void)killer_kill_due_processes(&killer, now_ms);
        if (now_ms - told_ms > REPORT_MS) {
            told_ms = now_ms;
            print_report(crowd, &killer, now_ms - begun_ms);
        }
        if (node_has_ended(&crowd->nodes[0])) {
            fprintf(stderr, "kills: the house has ended\n");
            return false;
        }
    }
    crowd_finish_moves(crowd);
    print_report(crowd, &killer, crowd_now_ms() - begun_ms);
    return killer_count_kills(&killer) >= kills;
}

int main(int argc, char **argv)
{
    static struct crowd crowd;
    if (argc < 3 || sodium_init() < 0) {
        fprintf(stderr, "usage: kills PROGRAM KILLS [COMPANIES [control]]\n");
        return 2;
    }
    struct crowd_setup setup;
    if (!crowd_setup_read(&setup, argv[1], argv[3])) {
        return 2;
    }
    crowd_open(&crowd, &setup);
    bool is_through = kill_and_wait(&crowd, strtoull(argv[2], NULL, 10));
    is_through = crowd_close(&crowd) && is_through;
    char path[CROWD_PATH_SIZE + 16];
    crowd_database_path(&crowd, path);
    bool is_good = losses_check(&crowd, path, argc > 4) && is_through;
    crowd_clear(&crowd, !is_good);
    return is_good ? 0 : 1;
}
