#ifndef DAEMON_BASE_CLOCK_H
#define DAEMON_BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds since 1970 UTC: what is stored and told. May jump when the clock is set. */
int64_t clock_unix_ms(void);

/* Milliseconds that only rise, from an unknown start: for measuring how long something took. */
int64_t clock_steady_ms(void);

#endif
