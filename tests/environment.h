#pragma once

#include <stdint.h>
#include <stdlib.h>

/* Reads a number from an environment variable, with which a person sets how much a test does. */
static inline uint64_t environment_number(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text == NULL ? fallback : strtoull(text, NULL, 10);
}
