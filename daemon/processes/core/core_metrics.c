#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core_state.h"
#include "storage/storage.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MS_PER_S 1000
#define JUMP_MS 60000 /* a clock that moves by this much from one second to the next was set */

/* The players' moves of one pass of the loop, until everybody has been told of them. */
struct untold_moves {
    uint64_t turn; /* the turn that contains them */
    int64_t received_us;
    uint64_t count;
};

struct core_metrics {
    struct core *core;
    /* the oldest first; the first `durable` of them are durable */
    struct untold_moves untold[HOUSE_UNSETTLED_TURNS_MAX];
    size_t untold_count, durable;
    const char *database, *backups; /* paths, as in struct core_setup; borrowed */
    char *file;                     /* path of the text for Prometheus; NULL: none */
    char *new_file;                 /* its path while it is written */
    bool is_failing;                /* the file could not be written the last time */
    int64_t clock_ahead_ms;         /* by how much the clock is ahead of one that is never set */
    struct event *life;
    struct event *measure;
    struct metrics gauges; /* a page of our own, on which the gauges are added up */
};

static enum metric metric_of_house(enum house_metric metric)
{
    static const enum metric metrics[HOUSE_METRIC_COUNT] = {
#define COUNTER(name, a, b, help) [HOUSE_METRIC_##name] = METRIC_##name,
#define GAUGE(name, a, b, help) [HOUSE_METRIC_##name] = METRIC_##name,
#define HISTOGRAM(name, a, b, help) [HOUSE_METRIC_##name] = METRIC_##name,
#include "lobby/house/metrics.def"
#undef COUNTER
#undef GAUGE
#undef HISTOGRAM
    };
    return metrics[metric];
}

static void count_for_house(void *context, enum house_metric house_metric, const char *a,
                            const char *b, uint64_t amount)
{
    struct core *core = context;
    enum metric metric = metric_of_house(house_metric);
    switch (metric_at(metric)->kind) {
    case METRIC_HISTOGRAM:
        metrics_observe_us(&core->metrics, metric, a, amount, 1);
        break;
    case METRIC_GAUGE: /* only house_measure passes gauges */
        metrics_add(&core->measuring->gauges, metric, a, b, amount);
        break;
    case METRIC_COUNTER:
        metrics_add(&core->metrics, metric, a, b, amount);
        break;
    }
    if (house_metric == HOUSE_METRIC_moves && strcmp(b, "player") == 0) {
        core->pass_moves += amount;
    }
}

void core_metrics_configure_house(struct core *core, struct house_config *config)
{
    config->measure = count_for_house;
    config->measure_context = core;
}

void core_metrics_begin_pass(struct core *core)
{
    core->has_worked = true;
    if (core->pass_begun_us == 0) {
        core->pass_begun_us = clock_steady_us();
        life_give_sign(&core->metrics, LIFE_WORKS);
    }
}

static void observe_moves(const struct core *core, const struct untold_moves *moves,
                          const char *until)
{
    metrics_observe_us(&core->metrics, METRIC_move, until,
                       (uint64_t)(clock_steady_us() - moves->received_us), moves->count);
}

void core_metrics_begin_commit(struct core *core)
{
    life_give_sign(&core->metrics, LIFE_WRITES);
    core->turn = storage_last_turn(core->storage);
    core->commit_begun_us = clock_steady_us();
}

/* Remembers the moves of this pass, which is committed. The list has room for all turns that may be
 * under way while the core receives. The moves of a further pass count as part of the last one. */
static void note_committed_moves(struct core_metrics *metrics)
{
    struct core *core = metrics->core;
    uint64_t turn = storage_last_turn(core->storage);
    if (core->pass_moves == 0) {
        return;
    }
    if (metrics->untold_count == ARRAY_LEN(metrics->untold)) {
        struct untold_moves *last = &metrics->untold[metrics->untold_count - 1];
        last->turn = turn;
        last->count += core->pass_moves;
    } else {
        metrics->untold[metrics->untold_count++] =
            (struct untold_moves){turn, core->pass_begun_us, core->pass_moves};
    }
    core->pass_moves = 0;
}

static void observe_durable_moves(struct core_metrics *metrics)
{
    const struct core *core = metrics->core;
    uint64_t durable = storage_last_turn(core->storage) - house_count_unsettled_turns(core->house);
    while (metrics->durable < metrics->untold_count &&
           metrics->untold[metrics->durable].turn <= durable) {
        observe_moves(core, &metrics->untold[metrics->durable++], "durable");
    }
}

void core_metrics_end_commit(struct core *core)
{
    if (storage_last_turn(core->storage) != core->turn) {
        metrics_observe_us(&core->metrics, METRIC_commit, NULL,
                           (uint64_t)(clock_steady_us() - core->commit_begun_us), 1);
    }
    note_committed_moves(core->measuring);
    observe_durable_moves(core->measuring);
}

void core_metrics_end_pass(struct core *core)
{
    struct core_metrics *metrics = core->measuring;
    for (size_t i = 0; i < metrics->durable; i++) {
        observe_moves(core, &metrics->untold[i], "told");
    }
    metrics->untold_count -= metrics->durable;
    memmove(metrics->untold, &metrics->untold[metrics->durable],
            metrics->untold_count * sizeof(metrics->untold[0]));
    metrics->durable = 0;
    core->pass_begun_us = 0;
    life_give_sign(&core->metrics, LIFE_WAITS);
}

static uint64_t read_file_size(const char *path, const char *ending)
{
    char *name;
    struct stat status;
    if (asprintf(&name, "%s%s", path, ending) < 0) {
        abort(); /* out of memory */
    }
    uint64_t size = stat(name, &status) == 0 ? (uint64_t)status.st_size : 0;
    free(name);
    return size;
}

static uint64_t read_free_bytes(const char *path)
{
    struct statvfs disk;
    return statvfs(path, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : 0;
}

static uint64_t count_unsent_bytes(const struct core *core)
{
    uint64_t bytes = 0;
    const struct link *link = LIST_FIRST(&core->links.all);
    for (; link != NULL; link = LIST_NEXT(link, in_all)) {
        bytes += link->unsent.len;
    }
    return bytes;
}

static void measure_gauges(struct core_metrics *metrics)
{
    struct core *core = metrics->core;
    const struct metrics *gauges = &metrics->gauges;
    const struct {
        enum metric metric;
        uint64_t value;
    } values[] = {
        {METRIC_wal_bytes, read_file_size(metrics->database, "-wal")},
        {METRIC_database_bytes, read_file_size(metrics->database, "")},
        {METRIC_disk_free_bytes, read_free_bytes(metrics->database)},
        {METRIC_backup_timestamp_seconds,
         metrics->backups != NULL ? (uint64_t)backups_dir_find_newest_s(metrics->backups) : 0},
        {METRIC_unsent_bytes, count_unsent_bytes(core)},
        {METRIC_measured_timestamp_seconds, (uint64_t)clock_unix_ms() / MS_PER_S},
    };
    memset(gauges->page, 0, sizeof *gauges->page);
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        metrics_set(gauges, values[i].metric, NULL, NULL, values[i].value);
    }
    if (core->house != NULL) { /* NULL: this node waits for it (core.h) */
        house_measure(core->house);
    }
    core_lease_measure(core->lease, gauges);
    metrics_copy_gauges(&core->metrics, gauges->page);
    life_measure_silence(&core->metrics, clock_steady_ms());
}

/* Replaces the file at once, so that no reader sees half of it. The file must not be in a folder
 * where other users can make files, who could make a link of this name to another file. */
static bool replace_file(const struct core_metrics *metrics, const char *text)
{
    (void)unlink(metrics->new_file);
    int file = open(metrics->new_file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t len = strlen(text);
    errno = file < 0 ? errno : 0;
    bool is_written = file >= 0 && write(file, text, len) == (ssize_t)len &&
                      fchmod(file, 0644) == 0 && rename(metrics->new_file, metrics->file) == 0;
    if (!is_written && errno == 0) {
        errno = ENOSPC; /* write(2) has written a part */
    }
    fd_close(file);
    return is_written;
}

static void write_file(struct core_metrics *metrics)
{
    if (metrics->file == NULL || metrics->core->metrics.page == NULL) {
        return;
    }
    char *text = prometheus_write(metrics->core->metrics.page);
    bool is_written = replace_file(metrics, text);
    if (!is_written && !metrics->is_failing) {
        log_failure("the metrics cannot be written to %s", metrics->file);
    } else if (is_written && metrics->is_failing) {
        log_event(LOG_LEVEL_INFO, 0, "the metrics are written to %s again", metrics->file);
    }
    metrics->is_failing = !is_written;
    free(text);
}

static void measure_and_write(UNUSED int socket, UNUSED short events, void *context)
{
    struct core_metrics *metrics = context;
    measure_gauges(metrics);
    write_file(metrics);
}

static int64_t measure_clock_ahead_ms(void)
{
    return clock_unix_ms() - clock_boot_ms();
}

/* Notices a clock that was set. The event that calls this also makes the core's loop do a pass,
 * which gives a sign of life. */
static void check_clock(UNUSED int socket, UNUSED short events, void *context)
{
    struct core_metrics *metrics = context;
    int64_t ahead_ms = measure_clock_ahead_ms();
    int64_t jump_ms = ahead_ms - metrics->clock_ahead_ms;
    metrics->clock_ahead_ms = ahead_ms;
    if (jump_ms >= JUMP_MS || jump_ms <= -JUMP_MS) {
        log_pairs(LOG_LEVEL_ERROR, 0, "clock-jumped",
                  LOG_PAIRS("seconds", LOG_NUMBER(jump_ms / MS_PER_S)));
        metrics_add(&metrics->core->metrics, METRIC_clock_jumps, NULL, NULL, 1);
        if (metrics->core->house != NULL) {
            event_active(metrics->core->clock, EV_TIMEOUT, 0); /* what is due is another now */
        }
    }
}

static struct event *start_timer(struct core_metrics *metrics, int64_t every_ms,
                                 event_callback_fn callback)
{
    struct event *timer = loop_make_event(metrics->core->base, -1, EV_PERSIST, callback, metrics);
    loop_begin_ms(timer, every_ms);
    return timer;
}

/* Sets the paths of the file. A relative path begins in the data folder, where the database is. */
static void set_file(struct core_metrics *metrics, const char *file)
{
    const char *end = strrchr(metrics->database, '/');
    int folder_len = file[0] == '/' || end == NULL ? 0 : (int)(end + 1 - metrics->database);
    if (file[0] != '\0' &&
        (asprintf(&metrics->file, "%.*s%s", folder_len, metrics->database, file) < 0 ||
         asprintf(&metrics->new_file, "%s.new", metrics->file) < 0)) {
        abort(); /* out of memory */
    }
}

struct core_metrics *core_metrics_new(struct core *core, const struct core_setup *setup)
{
    struct core_metrics *metrics = must_allocate(sizeof *metrics);
    core->measuring = metrics;
    metrics->core = core;
    metrics->database = setup->database;
    metrics->backups = setup->backups;
    set_file(metrics, setup->config->metrics_file);
    metrics->gauges.page = must_allocate(sizeof *metrics->gauges.page);
    metrics->clock_ahead_ms = measure_clock_ahead_ms();
    metrics->life = start_timer(metrics, LIFE_EVERY_MS, check_clock);
    metrics->measure =
        start_timer(metrics, (int64_t)setup->config->metrics_every_s * MS_PER_S, measure_and_write);
    measure_and_write(-1, 0, metrics);
    return metrics;
}

void core_metrics_free(struct core_metrics *metrics)
{
    if (metrics == NULL) {
        return;
    }
    event_free(metrics->measure);
    event_free(metrics->life);
    free(metrics->gauges.page);
    free(metrics->new_file);
    free(metrics->file);
    free(metrics);
}
