#pragma once

#include "lobby/protocol/row_fields.h"

/* Fields of rows.def with a form of their own: PART(name) is row_part_name. */

#define ROW_CHART_MAX 60

/* The rating before each of the latest games, oldest first; the last value is the current
 * rating. */
struct row_chart {
    uint8_t count;
    int32_t values[ROW_CHART_MAX];
};

extern const struct row_part row_part_chart;

/* uint8_t with bit s for seat s; in messages a list of the seats' numbers. */
extern const struct row_part row_part_seats;

/* struct asks_row. */
extern const struct row_part row_part_asks;

/* struct clock_rule, struct watch_rule, struct eligibility. An invalid value is read as: no clock,
 * public, no condition. */
extern const struct row_part row_part_clock;
extern const struct row_part row_part_watch;
extern const struct row_part row_part_fit;

/* json_t *, borrowed both ways: a sentence with its arguments (sentence.h); NULL: none. */
extern const struct row_part row_part_say;

/* For the lists of rows.def: a JSON array of `count` rows. The caller's to release. */
json_t *row_list_write(const struct row_def *def, const void *rows, size_t count) MUST_CHECK;

/* Fills `rows` with at most so many and returns their number. Rows that are refused are left
 * out. */
size_t row_list_read(const struct row_def *def, const json_t *list, void *rows, size_t most);
