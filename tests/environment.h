#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Reads a number from an environment variable, with which a person sets how much a test does. */
static inline uint64_t environment_number(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text == NULL ? fallback : strtoull(text, NULL, 10);
}

/* With TEST_PART=n in the environment, tests that try very many cases of one kind try one in n of
 * them. deploy/check does that every day. Returns n, which is 1 without TEST_PART. */
static inline uint64_t environment_part(void)
{
    const uint64_t part = environment_number("TEST_PART", 1);
    return part == 0 ? 1 : part;
}

/* Returns how many of `count` cases are tried: at least one. */
static inline uint64_t environment_share(uint64_t count)
{
    const uint64_t part = environment_part();
    return (count + part - 1) / part;
}

/* Returns whether the case with this number is tried: case 0, and the others at changing distances,
 * so that nested loops do not always leave out the same turn of the inner one. */
static inline bool environment_tries(uint64_t number)
{
    /* The multiples of 2^64 / golden ratio are spread evenly (Knuth, The Art of Computer
     * Programming 3, 6.4). */
    return number * UINT64_C(0x9E3779B97F4A7C15) <= UINT64_MAX / environment_part();
}
