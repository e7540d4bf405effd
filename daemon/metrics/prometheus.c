#include "daemon/metrics/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static uint64_t read_number(const struct metrics_page *page, size_t at)
{
    return atomic_load_explicit(&page->numbers[at], memory_order_relaxed);
}

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
        if (metric_bucket_bound_us(i) != UINT64_MAX) {
            (void)snprintf(bound, sizeof bound, "%g", (double)metric_bucket_bound_us(i) / US_PER_S);
        }
        count += read_number(page, first + i);
        write_name(out, series, "_bucket", bound);
        fprintf(out, "%" PRIu64 "\n", count);
    }
    write_name(out, series, "_sum", NULL);
    fprintf(out, "%.6f\n", (double)read_number(page, first + METRIC_BUCKETS) / US_PER_S);
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
            fprintf(out, "%" PRIu64 "\n", read_number(page, at));
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
