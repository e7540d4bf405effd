#include "tests/bench/load/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_begin_column(struct report *report, int connections)
{
    if (report->column_count == REPORT_COLUMNS_MAX) {
        abort();
    }
    report->columns[report->column_count++] = connections;
}

void report_set(struct report *report, const char *id, const char *caption, int decimals,
                double value)
{
    int i = 0;
    while (i < report->figure_count && strcmp(report->figures[i].id, id) != 0) {
        i++;
    }
    if (i == REPORT_FIGURES_MAX || report->column_count == 0) {
        abort();
    }
    struct report_figure *figure = &report->figures[i];
    if (i == report->figure_count) {
        *figure = (struct report_figure){.id = id, .caption = caption, .decimals = decimals};
        report->figure_count++;
    }
    figure->values[report->column_count - 1] = value;
    figure->is_known[report->column_count - 1] = true;
}

double report_quantile(const double *sorted, size_t count, double share)
{
    if (count == 0) {
        return 0;
    }
    size_t rank = (size_t)ceil(share * (double)count);
    return sorted[rank == 0 ? 0 : rank - 1];
}

void report_print(const struct report *report)
{
    printf("%-58s", "connections");
    for (int column = 0; column < report->column_count; column++) {
        printf(" %11d", report->columns[column]);
    }
    printf("\n");
    for (int i = 0; i < report->figure_count; i++) {
        const struct report_figure *figure = &report->figures[i];
        printf("%-58s", figure->caption);
        for (int column = 0; column < report->column_count; column++) {
            if (figure->is_known[column]) {
                printf(" %11.*f", figure->decimals, figure->values[column]);
            } else {
                printf(" %11s", "-");
            }
        }
        printf("\n");
    }
}

void report_print_json(const struct report *report)
{
    printf("{\"columns\":[");
    for (int column = 0; column < report->column_count; column++) {
        printf("%s{\"connections\":%d,\"figures\":{", column > 0 ? "," : "",
               report->columns[column]);
        const char *between = "";
        for (int i = 0; i < report->figure_count; i++) {
            const struct report_figure *figure = &report->figures[i];
            if (figure->is_known[column]) {
                printf("%s\"%s\":%.4f", between, figure->id, figure->values[column]);
                between = ",";
            }
        }
        printf("}}");
    }
    printf("]}\n");
}
