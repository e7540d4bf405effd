#include "tests/cluster/patroni_house.h"

#include "tests/cluster/cluster_losses.h"
#include "tests/cluster/rig_processes.h"
#include "tests/kills/crowd.h"

#include <inttypes.h>
#include <stdio.h>

#define BEGIN_MS 60000

static struct crowd house_crowd;

static void play_for_ms(void *context, int64_t ms)
{
    crowd_run_passes_for_ms(context, ms);
}

/* Waits until there was a move at every table. */
static int64_t wait_for_moves(void *context, int64_t limit_ms)
{
    struct crowd *crowd = context;
    int64_t begun_ms = crowd_watch_for_first_moves(crowd);
    while (!crowd_has_first_moves(crowd)) {
        if (crowd_now_ms() - begun_ms > limit_ms) {
            return -1;
        }
        crowd_run_pass(crowd);
    }
    return crowd_now_ms() - begun_ms;
}

static bool finish(void *context)
{
    struct crowd *crowd = context;
    crowd_finish_moves(crowd);
    printf("%" PRIu64 " moves acknowledged\n", crowd_sum_counts(crowd).moves);
    bool is_good = crowd_close(crowd);
    is_good = cluster_losses_check(crowd, false) && is_good;
    crowd_clear(crowd, !is_good);
    return is_good;
}

struct patroni_load patroni_house_start(const char *program, const char *url)
{
    struct crowd_setup setup;
    if (!crowd_setup_read(&setup, program, NULL)) {
        rig_fail(0, "no crowd", program);
    }
    setup.url = url;
    setup.nodes = 3;
    crowd_open(&house_crowd, &setup);
    if (!crowd_wait_for_moves(&house_crowd, BEGIN_MS)) {
        rig_fail(0, "nobody begins to play", program);
    }
    return (struct patroni_load){play_for_ms, wait_for_moves, finish, &house_crowd};
}
