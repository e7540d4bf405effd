#ifndef DAEMON_PROCESSES_COMMON_PORTS_H
#define DAEMON_PROCESSES_COMMON_PORTS_H

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a house listens, as it is told from process to process: "2222\n", or "2222 2323\n". */
struct ports {
    uint16_t ssh;
    uint16_t telnet; /* 0: none */
};

#define PORTS_TEXT_MAX 16

/* False, with errno, when nobody reads it. */
bool ports_write(int fd, const struct ports *ports) MUST_CHECK;

/* Of what ports_write wrote. */
struct ports ports_read(const char *text);

#endif
