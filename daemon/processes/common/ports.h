#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/* The ports of a house, which processes send each other as "2222\n" or, with telnet, "2222
 * 2323\n". */
struct ports {
    uint16_t ssh;
    uint16_t telnet; /* 0 if the house has no telnet */
};

#define PORTS_TEXT_MAX 16

/* Writes the ports to a pipe. Returns false with errno. */
bool ports_write(int fd, const struct ports *ports) MUST_CHECK;

/* Reads the ports from a text that ports_write wrote. */
struct ports ports_parse(const char *text);
