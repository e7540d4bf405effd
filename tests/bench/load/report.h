#pragma once

#include <stdbool.h>
#include <stddef.h>

#define REPORT_FIGURES_MAX 64
#define REPORT_COLUMNS_MAX 16

/* The figures of a run: a row for each figure, a column for each number of connections. */
struct report {
    int columns[REPORT_COLUMNS_MAX]; /* the number of connections */
    int column_count, figure_count;
    struct report_figure {
        const char *id, *caption; /* `id` ends with the unit; both are literals */
        int decimals;
        double values[REPORT_COLUMNS_MAX];
        bool is_known[REPORT_COLUMNS_MAX];
    } figures[REPORT_FIGURES_MAX];
};

/* Begins the column of this number of connections; at most REPORT_COLUMNS_MAX. */
void report_begin_column(struct report *report, int connections);

/* Sets a figure of the column begun last. */
void report_set(struct report *report, const char *id, const char *caption, int decimals,
                double value);

/* Returns the time below which this share (0 to 1) of the sorted times lies; 0 without times. */
double report_quantile(const double *sorted, size_t count, double share);

/* Prints a table for people, or JSON: {"columns":[{"connections":N,"figures":{id:value}}]}. */
void report_print(const struct report *report);
void report_print_json(const struct report *report);
