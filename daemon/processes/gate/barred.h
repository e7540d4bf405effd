#pragma once

#include "daemon/processes/gate/limits.h"
#include "games/macros.h"

#include <jansson.h>

/*
 * The networks that staff have banned, as the core tells the gate (PROTOCOL.md, "The gate"). They
 * are not blocked altogether: banned players may appeal, and the ban of a network does not apply to
 * staff. But one connection at a time is enough for that.
 */
enum {
    BARRED_MAX = 256 /* further networks are known to the core only */
};

struct barred {
    size_t count;
    struct barred_net {
        uint8_t bytes[16]; /* the address, in the form of struct limits_source */
        uint8_t bits;
    } nets[BARRED_MAX];
};

/* Replaces all networks by those of the message's `nets`; skips malformed ones. */
void barred_take(struct barred *barred, const json_t *message);

/* Returns the index of the network that contains the source; -1: none. A network smaller than a
 * source (limits.h) contains none. */
int barred_find(const struct barred *barred, const struct limits_source *source) MUST_CHECK;
