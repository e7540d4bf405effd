#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Clock readings and sorting of measured times, for benchmarks and load programs. */

/* Returns the time of a clock in seconds. */
static inline double times_read_clock_s(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Returns the time of the monotonic clock in milliseconds. */
static inline double times_now_ms(void)
{
    return times_read_clock_s(CLOCK_MONOTONIC) * 1000.0;
}

/* Returns the time of the monotonic clock in whole microseconds. */
static inline int64_t times_now_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static inline int times_compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Sorts the times, the smallest first. Returns their median. */
static inline double times_sort(double *times, size_t count)
{
    qsort(times, count, sizeof(*times), times_compare);
    return times[count / 2];
}

static inline int times_compare_integers(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Sorts times that are integers, the smallest first. */
static inline void times_sort_integers(int64_t *times, size_t count)
{
    qsort(times, count, sizeof(*times), times_compare_integers);
}
