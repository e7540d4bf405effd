#include "daemon/metrics/metrics.h"

#include "daemon/base/base.h"
#include "games/game.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The upper bound of each bucket; the last one has none. */
static const uint64_t bucket_bounds_us[] = {
    500,    1000,   2500,   5000,    10000,   25000,   50000,
    100000, 250000, 500000, 1000000, 2500000, 5000000, UINT64_MAX,
};
static_assert(sizeof bucket_bounds_us / sizeof *bucket_bounds_us == METRIC_BUCKETS,
              "every bucket has a bound");

#define LABEL(label, ...) static const char *const values_of_##label[] = {__VA_ARGS__};
#include "daemon/metrics/labels.def"

#define LABEL(label, ...)                                                                          \
    static const struct metric_label label_##label = {#label, METRIC_VALUES_##label,               \
                                                      values_of_##label};
#include "daemon/metrics/labels.def"
static const struct metric_label label_game = {"game", METRIC_VALUES_game, NULL};

#define DEFINE(metric, kind_of, a, b, text)                                                        \
    [METRIC_##metric] = {                                                                          \
        .name = #metric,                                                                           \
        .kind = (kind_of),                                                                         \
        .labels = {&label_##a, &label_##b},                                                        \
        .first = offsetof(struct metrics_layout, metric),                                          \
        .help = (text),                                                                            \
    },

static const struct metric_def defs[METRIC_COUNT] = {
#define COUNTER(name, a, b, help) DEFINE(name, METRIC_COUNTER, a, b, help)
#define GAUGE(name, a, b, help) DEFINE(name, METRIC_GAUGE, a, b, help)
#define HISTOGRAM(name, a, b, help) DEFINE(name, METRIC_HISTOGRAM, a, b, help)
#include "daemon/metrics/metrics.def"
};

const struct metric_def *metric_at(enum metric metric)
{
    return &defs[metric];
}

static const char *metric_label_value(const struct metric_label *label, size_t index)
{
    return label->values != NULL ? label->values[index] : game_at((uint8_t)index)->id;
}

static size_t metric_series(const struct metric_def *def)
{
    return def->labels[0]->count * def->labels[1]->count;
}

static size_t metric_numbers(const struct metric_def *def)
{
    return def->kind == METRIC_HISTOGRAM ? METRIC_HISTOGRAM_NUMBERS : 1;
}

/* Finds the index of a value; returns false if the label does not have it. */
static bool find_value(const struct metric_label *label, const char *value, size_t *index)
{
    for (*index = 0; *index < label->count; (*index)++) {
        if (value == NULL || strcmp(metric_label_value(label, *index), value) == 0) {
            return value != NULL || label == &label_none;
        }
    }
    return false;
}

/* Returns the numbers of a series; NULL if there is no page or no such series. */
static _Atomic uint64_t *find_numbers(const struct metrics *metrics, enum metric metric,
                                      const char *a, const char *b)
{
    const struct metric_def *def = &defs[metric];
    size_t row, column;
    if (metrics->page == NULL || !find_value(def->labels[0], a, &row) ||
        !find_value(def->labels[1], b, &column)) {
        return NULL;
    }
    size_t series = row * def->labels[1]->count + column;
    return &metrics->page->numbers[def->first + series * metric_numbers(def)];
}

void metrics_add(const struct metrics *metrics, enum metric metric, const char *a, const char *b,
                 uint64_t amount)
{
    _Atomic uint64_t *number = find_numbers(metrics, metric, a, b);
    if (number != NULL) {
        *number += amount;
    }
}

void metrics_set(const struct metrics *metrics, enum metric metric, const char *a, const char *b,
                 uint64_t value)
{
    _Atomic uint64_t *number = find_numbers(metrics, metric, a, b);
    if (number != NULL) {
        *number = value;
    }
}

uint64_t metrics_get(const struct metrics *metrics, enum metric metric, const char *a,
                     const char *b)
{
    const _Atomic uint64_t *number = find_numbers(metrics, metric, a, b);
    return number != NULL ? *number : 0;
}

void metrics_observe_us(const struct metrics *metrics, enum metric metric, const char *a,
                        uint64_t duration_us, uint64_t count)
{
    _Atomic uint64_t *numbers = find_numbers(metrics, metric, a, NULL);
    size_t bucket = 0;
    if (numbers == NULL) {
        return;
    }
    while (duration_us > bucket_bounds_us[bucket]) {
        bucket++;
    }
    numbers[bucket] += count;
    numbers[METRIC_BUCKETS] += duration_us * count;
}

void metrics_copy_gauges(const struct metrics *metrics, const struct metrics_page *from)
{
    for (size_t i = 0; metrics->page != NULL && i < METRIC_COUNT; i++) {
        size_t end = defs[i].first + (defs[i].kind == METRIC_GAUGE ? metric_series(&defs[i]) : 0);
        for (size_t at = defs[i].first; at < end; at++) {
            metrics->page->numbers[at] = from->numbers[at];
        }
    }
}

#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

/* FNV-1a, of the text with its final NUL */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (uint8_t)*text) * HASH_PRIME;
    } while (*text++ != '\0');
    return hash;
}

static uint64_t hash_layout(void)
{
    static const char *const lines[] = {
#define COUNTER(name, a, b, help) "counter " #name " " #a " " #b,
#define GAUGE(name, a, b, help) "gauge " #name " " #a " " #b,
#define HISTOGRAM(name, a, b, help) "histogram " #name " " #a " " #b,
#include "daemon/metrics/metrics.def"
#define LABEL(name, ...) #name " " #__VA_ARGS__,
#include "daemon/metrics/labels.def"
#define GAME(name) #name,
#include "games/games.def"
#undef GAME
    };
    uint64_t hash = HASH_START ^ sizeof(struct metrics_page);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        hash = hash_text(hash, lines[i]);
    }
    return hash;
}

static char *make_path(const char *data_dir, const char *ending)
{
    char *path;
    if (asprintf(&path, "%s/" METRICS_PAGE_FILE "%s", data_dir, ending) < 0) {
        abort(); /* out of memory */
    }
    return path;
}

static struct metrics_page *map_file(int file)
{
    void *page =
        mmap(NULL, sizeof(struct metrics_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return page != MAP_FAILED ? page : NULL;
}

/* Makes the file under this name. Takes the room on the disk at once: a write to a mapped page that
 * the disk has no room for ends a process. */
static struct metrics_page *create_file(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct metrics_page *page = NULL;
    int error = file < 0 ? errno : posix_fallocate(file, 0, sizeof *page);
    if (error == 0) {
        page = map_file(file);
        error = errno;
    }
    fd_close(file);
    errno = error;
    return page;
}

struct metrics_page *metrics_page_create(const char *data_dir)
{
    char *path = make_path(data_dir, "");
    char *new_path = make_path(data_dir, ".new");
    struct metrics_page *page = create_file(new_path);
    if (page != NULL) {
        page->layout = hash_layout();
        if (rename(new_path, path) != 0) {
            metrics_page_close(page);
            page = NULL;
        }
    }
    free(new_path);
    free(path);
    return page;
}

/* Opens the file if it holds a page of this program's layout. Returns -1 with errno. */
static int open_fitting_file(const char *data_dir)
{
    char *path = make_path(data_dir, "");
    int file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    free(path);
    uint64_t layout = 0;
    if (file < 0) {
        return -1;
    }
    if (pread(file, &layout, sizeof layout, 0) != (ssize_t)sizeof layout ||
        layout != hash_layout() || lseek(file, 0, SEEK_END) != (off_t)sizeof(struct metrics_page)) {
        fd_close(file);
        errno = ESTALE;
        return -1;
    }
    return file;
}

struct metrics_page *metrics_page_open(const char *data_dir)
{
    int file = open_fitting_file(data_dir);
    struct metrics_page *page = file >= 0 ? map_file(file) : NULL;
    fd_close(file);
    return page;
}

bool metrics_page_hide_from_children(struct metrics_page *page)
{
    return page == NULL || madvise(page, sizeof *page, MADV_DONTFORK) == 0;
}

void metrics_page_close(struct metrics_page *page)
{
    if (page != NULL) {
        int error = errno;
        munmap(page, sizeof *page);
        errno = error;
    }
}

bool metrics_page_read(const char *data_dir, int64_t supervisor, struct metrics_page *copy)
{
    int file = open_fitting_file(data_dir);
    if (file < 0) {
        return false;
    }
    ssize_t got = pread(file, copy, sizeof *copy, 0);
    fd_close(file);
    if (got != (ssize_t)sizeof *copy || copy->lives[LIFE_SUPERVISOR].pid != supervisor) {
        errno = ESTALE;
        return false;
    }
    return true;
}

#define US_PER_S 1e6

/* the type of a metric, and the end of its name */
static const struct {
    const char *type, *ending;
} kinds[] = {
    [METRIC_COUNTER] = {"counter", "_total"},
    [METRIC_GAUGE] = {"gauge", ""},
    [METRIC_HISTOGRAM] = {"histogram", "_seconds"},
};

/* Where a series stands in the text. */
struct series {
    const struct metric_def *def;
    const char *values[2]; /* the values of the labels */
};

/* Writes the name of a line with its labels and a blank. `part` is what a histogram adds to its
 * name; `bound` is the value of its label `le`; NULL: none. */
static void write_name(FILE *out, const struct series *series, const char *part, const char *bound)
{
    const struct metric_def *def = series->def;
    char before = '{';
    fprintf(out, "trickhouse_%s%s%s", def->name, kinds[def->kind].ending, part);
    for (size_t i = 0; i < ARRAY_LEN(def->labels); i++) {
        if (strcmp(def->labels[i]->name, "none") != 0) {
            fprintf(out, "%c%s=\"%s\"", before, def->labels[i]->name, series->values[i]);
            before = ',';
        }
    }
    if (bound != NULL) {
        fprintf(out, "%cle=\"%s\"", before, bound);
        before = ',';
    }
    fputs(before == ',' ? "} " : " ", out);
}

static void write_histogram(FILE *out, const struct metrics_page *page, const struct series *series,
                            size_t first)
{
    uint64_t count = 0;
    for (size_t i = 0; i < METRIC_BUCKETS; i++) {
        char bound[32] = "+Inf";
        if (bucket_bounds_us[i] != UINT64_MAX) {
            (void)snprintf(bound, sizeof bound, "%g", (double)bucket_bounds_us[i] / US_PER_S);
        }
        count += page->numbers[first + i];
        write_name(out, series, "_bucket", bound);
        fprintf(out, "%" PRIu64 "\n", count);
    }
    write_name(out, series, "_sum", NULL);
    fprintf(out, "%.6f\n", (double)page->numbers[first + METRIC_BUCKETS] / US_PER_S);
    write_name(out, series, "_count", NULL);
    fprintf(out, "%" PRIu64 "\n", count);
}

static void write_metric(FILE *out, const struct metrics_page *page, const struct metric_def *def)
{
    size_t at = def->first;
    const char *ending = kinds[def->kind].ending;
    fprintf(out, "# HELP trickhouse_%s%s %s\n# TYPE trickhouse_%s%s %s\n", def->name, ending,
            def->help, def->name, ending, kinds[def->kind].type);
    for (size_t i = 0; i < metric_series(def); i++, at += metric_numbers(def)) {
        size_t columns = def->labels[1]->count;
        const struct series series = {
            .def = def,
            .values = {metric_label_value(def->labels[0], i / columns),
                       metric_label_value(def->labels[1], i % columns)},
        };
        if (def->kind == METRIC_HISTOGRAM) {
            write_histogram(out, page, &series, at);
        } else {
            write_name(out, &series, "", NULL);
            fprintf(out, "%" PRIu64 "\n", page->numbers[at]);
        }
    }
}

char *prometheus_write(const struct metrics_page *page)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (out == NULL) {
        abort(); /* out of memory */
    }
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        write_metric(out, page, metric_at((enum metric)i));
    }
    if (fclose(out) != 0) {
        abort(); /* out of memory */
    }
    return text;
}

#define MS_PER_S 1000

void life_copy_name(const struct life *life, char name[LIFE_NAME_SIZE + 1])
{
    size_t len = strnlen(life->name, sizeof life->name);
    for (size_t i = 0; i < len; i++) {
        bool is_letter = life->name[i] >= 'a' && life->name[i] <= 'z';
        name[i] = (char)(is_letter ? life->name[i] : '?');
    }
    name[len] = '\0';
}

void life_give_sign(const struct metrics *metrics, enum life_doing doing)
{
    if (metrics->page != NULL) {
        struct life *life = &metrics->page->lives[metrics->process];
        life->seen_ms = clock_steady_ms();
        life->doing = (uint32_t)doing;
    }
}

void life_set_work(const struct metrics *metrics, uint64_t work)
{
    if (metrics->page != NULL) {
        metrics->page->lives[metrics->process].work = work;
    }
}

uint64_t life_get_work(const struct metrics *metrics, unsigned process)
{
    return metrics->page == NULL ? 0 : metrics->page->lives[process].work;
}

int64_t life_get_seen_ms(const struct metrics *metrics, unsigned process)
{
    return metrics->page == NULL ? 0 : metrics->page->lives[process].seen_ms;
}

void life_note_start(const struct metrics *metrics, unsigned process, const char *name, int64_t pid)
{
    if (metrics->page == NULL) {
        return;
    }
    struct life *life = &metrics->page->lives[process];
    int64_t now_ms = clock_steady_ms();
    bool has_died = life->pid == 0;
    if (strncmp(life->name, name, sizeof life->name) != 0) {
        /* another process had this place before a reload */
        life->restarts = 0;
        strncpy(life->name, name, sizeof life->name);
        has_died = false;
    }
    life->started_ms = now_ms;
    if (!has_died) {
        life->seen_ms = now_ms;
    }
    life->doing = LIFE_STARTS;
    life->work = 0;
    life->pid = pid;
}

void life_note_resumed(const struct metrics *metrics, unsigned process, const char *name,
                       int64_t pid)
{
    const struct life *life = metrics->page != NULL ? &metrics->page->lives[process] : NULL;
    if (life != NULL && (life->pid != pid || strncmp(life->name, name, sizeof life->name) != 0)) {
        life_note_start(metrics, process, name, pid);
    }
}

void life_note_death(const struct metrics *metrics, unsigned process)
{
    if (metrics->page == NULL) {
        return;
    }
    struct life *life = &metrics->page->lives[process];
    char name[LIFE_NAME_SIZE + 1];
    life_copy_name(life, name);
    life->pid = 0;
    life->restarts++;
    metrics_add(metrics, METRIC_process_restarts, name, NULL, 1);
}

void life_forget(const struct metrics *metrics, unsigned process)
{
    if (metrics->page != NULL) {
        struct life *life = &metrics->page->lives[process];
        memset(life->name, 0, sizeof life->name);
        life->pid = 0;
    }
}

static int64_t find_longest_silence_ms(const struct metrics_page *page, const char *name,
                                       int64_t now_ms)
{
    int64_t longest_ms = 0;
    for (size_t i = 0; i < LIFE_PROCESSES; i++) {
        int64_t silence_ms = now_ms - page->lives[i].seen_ms;
        if (strncmp(page->lives[i].name, name, LIFE_NAME_SIZE) == 0 && silence_ms > longest_ms) {
            longest_ms = silence_ms;
        }
    }
    return longest_ms;
}

void life_measure_silence(const struct metrics *metrics, int64_t now_ms)
{
    const struct metric_label *label = metric_at(METRIC_process_silence_seconds)->labels[0];
    for (size_t i = 0; metrics->page != NULL && i < label->count; i++) {
        const char *name = metric_label_value(label, i);
        metrics_set(metrics, METRIC_process_silence_seconds, name, NULL,
                    (uint64_t)find_longest_silence_ms(metrics->page, name, now_ms) / MS_PER_S);
    }
}
