#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "games/game.h"
#include "storage/archive/archive.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_house.h"
#include "tests/bench/bench_tables.h"
#include "tests/storage/archive/moves_baseline.h"
#include "tests/storage/postgres_schema.h"
#include "tests/times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RUNS 5
#define SECONDS_DEFAULT 1
#define SECONDS_MAX 600
#define FOLDER_SIZE 256
#define PATH_SIZE 320

/* The moves that one run has written, for the baseline to write again. */
struct record {
    struct storage_move move;
    char text[MOVE_TEXT_MAX];
};

struct records {
    struct record *at;
    size_t count;
    size_t cap;
};

struct storage_bench {
    /* folder to measure in, or URL of a PostgreSQL database for the house, which gets a schema of
     * its own there; NULL: the system's folder for temporary files */
    const char *data;
    uint32_t seconds; /* duration of one run */
    char folder[FOLDER_SIZE];
    char why[STORAGE_WHY_SIZE];
};

static bool record_moves(struct records *records, const struct storage_move *moves, size_t count,
                         char why[STORAGE_WHY_SIZE])
{
    if (records->count + count > records->cap) {
        const size_t cap = records->cap * 2 + count;
        struct record *grown = reallocarray(records->at, cap, sizeof *grown);
        if (grown == NULL) {
            (void)snprintf(why, STORAGE_WHY_SIZE, "%s", strerror(errno));
            return false;
        }
        records->at = grown;
        records->cap = cap;
    }
    for (size_t i = 0; i < count; i++) {
        struct record *record = &records->at[records->count++];
        record->move = moves[i];
        (void)snprintf(record->text, sizeof record->text, "%s", moves[i].text);
    }
    return true;
}

static void make_file_path(const struct storage_bench *bench, const char *name,
                           char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "%s/%s", bench->folder, name);
}

static bool has_url(const struct storage_bench *bench)
{
    return bench->data != NULL && strstr(bench->data, "://") != NULL;
}

/* Chooses where the house keeps its data, and makes room for it. */
static bool make_house_path(struct storage_bench *bench, char path[PATH_SIZE])
{
    make_file_path(bench, "house.db", path);
    if (!has_url(bench) || postgres_schema_make(bench->data, path)) {
        return true;
    }
    (void)snprintf(bench->why, sizeof bench->why, "no schema can be made in the database");
    return false;
}

static void remove_data_files(const struct storage_bench *bench)
{
    static const char *const names[] = {"house.db", "house.db-wal", "baseline.db",
                                        "baseline.db-wal"};
    char path[PATH_SIZE];

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        make_file_path(bench, names[i], path);
        (void)unlink(path); /* most of these files do not exist, so errors are ignored */
    }
    if (has_url(bench)) {
        (void)postgres_schema_drop(bench->data); /* it may be dropped already */
    }
}

/* Moves per second of one run. */
struct rates {
    double house;    /* moves received, applied, appended, committed, and sent to everybody */
    double durable;  /* moves applied, appended and committed */
    double baseline; /* the rows of these moves, written by the baseline loop */
};

/* Measures how fast the core handles moves, from the sockets to the disk and back to the sockets,
 * with `batch_size` tables in play. */
static bool measure_house(struct storage_bench *bench, size_t batch_size, struct rates *rates)
{
    char path[PATH_SIZE];
    double passed = 0;
    size_t moves = 0;

    struct bench_house *house =
        make_house_path(bench, path) ? bench_house_new(path, batch_size, bench->why) : NULL;
    bool is_good = house != NULL;
    while (is_good && passed < bench->seconds) {
        const double start = times_read_clock_s(CLOCK_MONOTONIC);
        is_good = bench_house_run_loop_pass(house, bench->why);
        passed += times_read_clock_s(CLOCK_MONOTONIC) - start;
        moves += batch_size;
        is_good = is_good && bench_house_prepare_loop_pass(house, bench->why);
    }
    bench_house_free(house);
    remove_data_files(bench);
    rates->house = (double)moves / passed;
    return is_good;
}

/* Measures the engine and the storage without a house, with `batch_size` moves a commit. Records
 * the moves that were written. */
static bool measure_engine_and_storage(struct storage_bench *bench, size_t batch_size,
                                       struct records *records, struct rates *rates)
{
    char path[PATH_SIZE];
    struct storage_move moves[BENCH_TABLES_MAX];
    double passed = 0;

    struct bench_tables *tables =
        make_house_path(bench, path) ? bench_tables_new(path, batch_size, bench->why) : NULL;
    bool is_good = tables != NULL;
    while (is_good && passed < bench->seconds) {
        const double start = times_read_clock_s(CLOCK_MONOTONIC);
        is_good = bench_tables_run_loop_pass(tables, moves, bench->why);
        passed += times_read_clock_s(CLOCK_MONOTONIC) - start;
        is_good = is_good && record_moves(records, moves, batch_size, bench->why) &&
                  bench_tables_start_next_games(tables, bench->why);
    }
    bench_tables_free(tables);
    rates->durable = (double)records->count / passed;
    return is_good;
}

/* Measures the baseline loop, which writes the same moves again. */
static bool measure_baseline(struct storage_bench *bench, size_t batch_size,
                             const struct records *records, struct rates *rates)
{
    char path[PATH_SIZE];
    struct storage_move moves[BENCH_TABLES_MAX];
    struct storage_baseline *baseline = NULL;
    double passed = 0;

    make_file_path(bench, "baseline.db", path);
    enum storage_result result = storage_baseline_open(path, &baseline, bench->why);
    for (size_t done = 0; result == STORAGE_OK && done < records->count; done += batch_size) {
        for (size_t i = 0; i < batch_size; i++) {
            moves[i] = records->at[done + i].move;
            moves[i].text = records->at[done + i].text;
        }
        const double start = times_read_clock_s(CLOCK_MONOTONIC);
        result = storage_baseline_write_moves(baseline, moves, batch_size);
        passed += times_read_clock_s(CLOCK_MONOTONIC) - start;
    }
    storage_baseline_close(baseline);
    rates->baseline = (double)records->count / passed;
    return result == STORAGE_OK;
}

static void print_batch_row(size_t batch_size, const struct rates rates[RUNS])
{
    double house[RUNS];
    double durable[RUNS];
    double baseline[RUNS];

    for (size_t i = 0; i < RUNS; i++) {
        house[i] = rates[i].house;
        durable[i] = rates[i].durable;
        baseline[i] = rates[i].baseline;
    }
    const double house_median = times_sort(house, RUNS);
    const double durable_median = times_sort(durable, RUNS);
    const double bare_median = times_sort(baseline, RUNS);
    printf("%14zu %10.0f %10.0f %10.0f %11.2f %12.2f\n", batch_size, house_median, durable_median,
           bare_median, house_median / bare_median, durable_median / bare_median);
    (void)fflush(stdout);
}

/* Measures the house, the engine with the storage, and the baseline in turn, so that a disk that
 * becomes slower affects all three. */
static bool measure_batch(struct storage_bench *bench, size_t batch_size)
{
    struct rates rates[RUNS];
    bool is_good = true;

    for (size_t i = 0; is_good && i < RUNS; i++) {
        struct records records = {0};
        is_good = measure_house(bench, batch_size, &rates[i]) &&
                  measure_engine_and_storage(bench, batch_size, &records, &rates[i]) &&
                  measure_baseline(bench, batch_size, &records, &rates[i]);
        free(records.at);
        remove_data_files(bench);
    }
    if (is_good) {
        print_batch_row(batch_size, rates);
    }
    return is_good;
}

static bool make_folder(struct storage_bench *bench)
{
    const char *parent = bench->data != NULL && !has_url(bench) ? bench->data : getenv("TMPDIR");
    const int len = snprintf(bench->folder, sizeof bench->folder, "%s/trickhouse-bench-XXXXXX",
                             parent != NULL ? parent : "/tmp");

    if (len < 0 || (size_t)len >= sizeof bench->folder) {
        errno = ENAMETOOLONG;
    } else if (mkdtemp(bench->folder) != NULL) {
        return true;
    }
    (void)snprintf(bench->why, sizeof bench->why, "%.100s: %s", parent != NULL ? parent : "/tmp",
                   strerror(errno));
    return false;
}

static int measure_all_batch_sizes(struct storage_bench *bench)
{
    bool is_measured = make_folder(bench);

    if (is_measured) {
        printf("%14s %10s %10s %10s %11s %12s\n", _("moves a commit"), _("house/s"), _("durable/s"),
               _("baseline/s"), _("house/baseline"), _("durable/baseline"));
        is_measured = measure_batch(bench, 1) && measure_batch(bench, BENCH_TABLES_MAX);
        (void)rmdir(bench->folder);
    }
    if (!is_measured) {
        (void)fprintf(stderr, _("bench: cannot measure: %s\n"), bench->why);
        return 1;
    }
    return 0;
}

int bench_storage(char **argv)
{
    struct storage_bench bench = {.seconds = SECONDS_DEFAULT};
    const struct argument options[] = {
        {.name = "data", .text = &bench.data},
        {.name = "seconds", .number = &bench.seconds, .min = 1, .max = SECONDS_MAX},
        {.name = NULL},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    return measure_all_batch_sizes(&bench);
}
