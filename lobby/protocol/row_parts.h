#pragma once

#include "lobby/protocol/row_fields.h"

/* Fields of rows.def that have a form of their own: PART(name) is row_part_name. */

#define ROW_CHART_MAX 60

/* A rating before each of the latest games, the oldest first; the last value is the present one. */
struct row_chart {
    uint8_t count;
    int32_t values[ROW_CHART_MAX];
};

extern const struct row_part row_part_chart;

/* uint8_t, bit s: seat s. A list of the seats' numbers. */
extern const struct row_part row_part_seats;

/* struct asks_row. */
extern const struct row_part row_part_asks;

/* struct clock_rule, struct watch_rule, struct fit_rule. What is no good rule is none, public, and
 * a demand for nothing. */
extern const struct row_part row_part_clock;
extern const struct row_part row_part_watch;
extern const struct row_part row_part_fit;

/* json_t *, borrowed both ways: a sentence with its arguments (sentence.h); NULL: none. */
extern const struct row_part row_part_say;

/* For the lists of rows.def: a JSON array of `count` rows. The caller's to release. */
json_t *row_list_write(const struct row_def *def, const void *rows, size_t count) MUST_CHECK;

/* Fills `rows`, at most so many; returns how many. Rows that are refused are left out. */
size_t row_list_read(const struct row_def *def, const json_t *list, void *rows, size_t most);
