#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/* The ports of a house, as processes tell each other: "2222\n", or "2222 2323\n". */
struct ports {
    uint16_t ssh;
    uint16_t telnet; /* 0: no telnet */
};

#define PORTS_TEXT_MAX 16

/* Returns false with errno if nobody reads it. */
bool ports_write(int fd, const struct ports *ports) MUST_CHECK;

/* Reads what ports_write wrote. */
struct ports ports_read(const char *text);
