#include "tests/cluster/patroni_house.h"
#include "tests/cluster/patroni_rig.h"
#include "tests/cluster/patroni_writer.h"
#include "tests/times.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Kills the primary under a real Patroni and etcd while somebody writes, in turn the whole machine
 * and only PostgreSQL. Measures how long the next write takes, and checks at the end that every
 * acknowledged write is stored.
 *
 * patroni ROUNDS [PROGRAM]
 *
 * With PROGRAM, the house's program, people play in three nodes of a house, and a write is a move
 * at every table. Without, a simple writer takes its place.
 */

#define WRITE_MS 2000
#define WITHIN_MS 30000 /* time limit for the next write */
#define WHOLE_MS 120000 /* time limit until there is a synchronous standby again */
#define ROUNDS_MAX 1000

enum kind {
    KIND_MACHINE,
    KIND_POSTGRES,
    KIND_COUNT,
};

static const char *const kind_names[] = {
    [KIND_MACHINE] = "machine of the primary killed",
    [KIND_POSTGRES] = "PostgreSQL of the primary killed",
};

/* Kills the primary in one way. Returns how long the next write took, or -1 if it did not come in
 * time or the servers are not whole again in time. */
static int64_t kill_primary(struct patroni_rig *rig, const struct patroni_load *load,
                            enum kind kind)
{
    load->write_for_ms(load->context, WRITE_MS);
    int primary = patroni_rig_find_primary(rig);
    if (primary < 0) {
        fprintf(stderr, "patroni: there is no primary to kill\n");
        return -1;
    }
    if (kind == KIND_MACHINE) {
        patroni_rig_kill_machine(rig, (unsigned)primary);
    } else {
        patroni_rig_kill_postgres(rig, (unsigned)primary);
    }
    int64_t took_ms = load->wait_for_write(load->context, WITHIN_MS);
    if (took_ms < 0) {
        fprintf(stderr, "patroni: %s: no write within %d ms\n", kind_names[kind], WITHIN_MS);
        patroni_rig_print_logs(rig);
    } else {
        printf("%s: %" PRId64 " ms\n", kind_names[kind], took_ms);
        fflush(stdout);
    }
    patroni_rig_start_machine(rig, (unsigned)primary);
    double begun_ms = times_now_ms();
    while (!patroni_rig_is_whole(rig)) {
        if (times_now_ms() - begun_ms > WHOLE_MS) {
            fprintf(stderr, "patroni: there is no synchronous standby again\n");
            patroni_rig_print_logs(rig);
            return -1;
        }
        load->write_for_ms(load->context, WRITE_MS / 10);
    }
    return took_ms;
}

int main(int argc, char **argv)
{
    static int64_t times[KIND_COUNT][ROUNDS_MAX];
    struct patroni_rig rig;
    char url[POSTGRES_RIG_URL_SIZE];
    unsigned long rounds = argc == 2 || argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    unsigned long done = 0;
    bool is_good = true;
    if (rounds == 0 || rounds > ROUNDS_MAX || sodium_init() < 0) {
        fprintf(stderr, "usage: patroni ROUNDS [PROGRAM] (1 to %d rounds)\n", ROUNDS_MAX);
        return 2;
    }
    if (!patroni_rig_is_installed()) {
        return POSTGRES_RIG_SKIPPED;
    }
    double begun_ms = times_now_ms();
    patroni_rig_start(&rig);
    printf("started in %.0f ms\n", times_now_ms() - begun_ms);
    patroni_rig_write_url(&rig, url);
    const struct patroni_load load =
        argc == 3 ? patroni_house_start(argv[2], url) : patroni_writer_start(url);
    for (; done < rounds && is_good; done++) {
        for (int kind = 0; kind < KIND_COUNT && is_good; kind++) {
            times[kind][done] = kill_primary(&rig, &load, (enum kind)kind);
            is_good = times[kind][done] >= 0;
        }
    }
    for (int kind = 0; kind < KIND_COUNT && is_good; kind++) {
        times_sort_integers(times[kind], done);
        printf("%s: %lu times; until the next write: median %" PRId64 " ms, worst %" PRId64 " ms\n",
               kind_names[kind], done, times[kind][done / 2], times[kind][done - 1]);
    }
    is_good = load.finish(load.context) && is_good;
    patroni_rig_stop(&rig);
    return is_good ? 0 : 1;
}
