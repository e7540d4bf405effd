#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * The metrics of a house: what metrics.def lists, and how a process counts. All processes but the
 * sessions share one page of numbers (page.h), so no process asks another for them.
 */
struct metrics_page;

/* What a process needs to count. Without a page (NULL), nothing is counted. */
struct metrics {
    struct metrics_page *page;
    unsigned process; /* the index of this process on the page (life.h) */
};

enum metric {
#define COUNTER(name, a, b, help) METRIC_##name,
#define GAUGE(name, a, b, help) METRIC_##name,
#define HISTOGRAM(name, a, b, help) METRIC_##name,
#include "daemon/metrics/metrics.def"
    METRIC_COUNT,
};

enum metric_kind {
    METRIC_COUNTER,
    METRIC_GAUGE,
    METRIC_HISTOGRAM,
};

struct metric_label {
    const char *name;          /* "none": no label */
    size_t count;              /* number of values, 1 or more */
    const char *const *values; /* NULL: the names of the games */
};

/* One metric of the list. A label takes one value of each of its two lists, and each combination of
 * values is a series. */
struct metric_def {
    const char *name;
    enum metric_kind kind;
    const struct metric_label *labels[2];
    size_t first; /* index on the page of its first number (page.h) */
    const char *help;
};

/* Numbers of one series of a histogram: the count of each bucket, then the sum of all durations in
 * microseconds. The last bucket holds the durations above all bounds. */
enum {
    METRIC_BUCKETS = 14,
    METRIC_HISTOGRAM_NUMBERS = METRIC_BUCKETS + 1,
};

/* Returns a metric of the list. */
const struct metric_def *metric_at(enum metric metric);

/* Returns the value of a label at `index`, which is below its count. */
const char *metric_label_value(const struct metric_label *label, size_t index);

/* Returns how many series and how many numbers of each series a metric has on the page. */
size_t metric_series(const struct metric_def *def);
size_t metric_numbers(const struct metric_def *def);

/* Returns the upper bound of a bucket in microseconds; UINT64_MAX for the last one. */
uint64_t metric_bucket_bound_us(size_t bucket);

/*
 * Count. `a` and `b` are values of the metric's two labels, NULL for the label `none`; a value that
 * the label does not have is not counted. Several processes may add to the same counter. None of
 * these functions blocks.
 */
void metrics_add(const struct metrics *metrics, enum metric metric, const char *a, const char *b,
                 uint64_t amount);
void metrics_set(const struct metrics *metrics, enum metric metric, const char *a, const char *b,
                 uint64_t value);
/* Adds the same duration `count` times to a histogram. */
void metrics_observe_us(const struct metrics *metrics, enum metric metric, const char *a,
                        uint64_t duration_us, uint64_t count);

/* Returns a number that metrics_add or metrics_set wrote; 0 if there is no such series. */
uint64_t metrics_get(const struct metrics *metrics, enum metric metric, const char *a,
                     const char *b);

/* Sets every gauge to its value on another page. So a reader never sees a gauge while it is being
 * added up. */
void metrics_copy_gauges(const struct metrics *metrics, const struct metrics_page *from);
