#pragma once

#include <stdint.h>

/* Milliseconds since 1970 UTC, for times that are stored or shown. Jumps when the clock is set. */
int64_t clock_unix_ms(void);

/* Monotonic milliseconds from an arbitrary start, for measuring durations. */
int64_t clock_steady_ms(void);

/* The same clock, but the time in which the machine slept counts too. */
int64_t clock_boot_ms(void);

/* The clock of clock_steady_ms in microseconds. */
int64_t clock_steady_us(void);
