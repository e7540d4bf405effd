#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Writes numbers into a table of a PostgreSQL database, one synchronous commit after another, and
 * remembers which of them were acknowledged. Any failure other than that of the database ends the
 * process with a line on standard error. */
struct patroni_writer;

/* Connects, and makes the table. The URL is borrowed. */
struct patroni_writer *patroni_writer_new(const char *url);
void patroni_writer_free(struct patroni_writer *writer);

/* Writes for that time. While the database does not answer, tries again. */
void patroni_writer_write_for_ms(struct patroni_writer *writer, int64_t ms);

/* Writes until a number is acknowledged. Returns how long that took, or -1 if it took longer than
 * the limit. */
int64_t patroni_writer_wait_for_write(struct patroni_writer *writer, int64_t limit_ms);

/* Returns how many numbers were acknowledged, and how many of those are not in the table. */
uint64_t patroni_writer_count_acknowledged(const struct patroni_writer *writer);
uint64_t patroni_writer_count_lost(struct patroni_writer *writer);
