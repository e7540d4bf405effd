#pragma once

#include "lobby/protocol/row_fields.h"

/* For each field of rows.def whose type is PART(NAME), row_part_NAME contains the functions that
 * write and read it. */

#define ROW_CHART_MAX 60

/* A player's ratings: before each of the latest games, oldest first, and finally the current
 * one. */
struct row_chart {
    uint8_t count;
    int32_t values[ROW_CHART_MAX];
};

extern const struct row_part row_part_chart;

/* uint8_t, where bit s stands for seat s; in messages, a list of the numbers of the seats. */
extern const struct row_part row_part_seats;

/* A struct asks_row, which messages contain as an object. */
extern const struct row_part row_part_asks;

/* A struct claim_row, which messages contain as an object; absent when no tricks are claimed. */
extern const struct row_part row_part_claim;

/* struct clock_rule, struct watch_rule and struct eligibility. An invalid clock is read as no
 * clock, an invalid watch rule as public, and invalid eligibility as no condition. */
extern const struct row_part row_part_clock;
extern const struct row_part row_part_watch;
extern const struct row_part row_part_fit;

/* json_t *, borrowed when written and when read: a sentence with its arguments (sentence.h); NULL:
 * none. */
extern const struct row_part row_part_say;

/* Makes a JSON list of `count` rows. The caller releases the list. */
json_t *row_list_write(const struct row_def *def, const void *rows, size_t count) MUST_CHECK;

/* Fills `rows` with at most `max_rows` rows of the list and returns their number. Invalid rows are
 * left out. */
size_t row_list_read(const struct row_def *def, const json_t *list, void *rows, size_t max_rows);
