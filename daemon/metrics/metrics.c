#include "daemon/metrics/metrics.h"

#include "games/game.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

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

const char *metric_label_value(const struct metric_label *label, size_t index)
{
    return label->values != NULL ? label->values[index] : game_at((uint8_t)index)->id;
}

size_t metric_series(const struct metric_def *def)
{
    return def->labels[0]->count * def->labels[1]->count;
}

size_t metric_numbers(const struct metric_def *def)
{
    return def->kind == METRIC_HISTOGRAM ? METRIC_HISTOGRAM_NUMBERS : 1;
}

uint64_t metric_bucket_bound_us(size_t bucket)
{
    return bucket_bounds_us[bucket];
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
        atomic_fetch_add_explicit(number, amount, memory_order_relaxed);
    }
}

void metrics_set(const struct metrics *metrics, enum metric metric, const char *a, const char *b,
                 uint64_t value)
{
    _Atomic uint64_t *number = find_numbers(metrics, metric, a, b);
    if (number != NULL) {
        atomic_store_explicit(number, value, memory_order_relaxed);
    }
}

uint64_t metrics_get(const struct metrics *metrics, enum metric metric, const char *a,
                     const char *b)
{
    const _Atomic uint64_t *number = find_numbers(metrics, metric, a, b);
    return number != NULL ? atomic_load_explicit(number, memory_order_relaxed) : 0;
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
    atomic_fetch_add_explicit(&numbers[bucket], count, memory_order_relaxed);
    atomic_fetch_add_explicit(&numbers[METRIC_BUCKETS], duration_us * count, memory_order_relaxed);
}

void metrics_copy_gauges(const struct metrics *metrics, const struct metrics_page *from)
{
    for (size_t i = 0; metrics->page != NULL && i < METRIC_COUNT; i++) {
        size_t end = defs[i].first + (defs[i].kind == METRIC_GAUGE ? metric_series(&defs[i]) : 0);
        for (size_t at = defs[i].first; at < end; at++) {
            uint64_t value = atomic_load_explicit(&from->numbers[at], memory_order_relaxed);
            atomic_store_explicit(&metrics->page->numbers[at], value, memory_order_relaxed);
        }
    }
}
