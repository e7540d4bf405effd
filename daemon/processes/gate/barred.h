#ifndef DAEMON_PROCESSES_GATE_BARRED_H
#define DAEMON_PROCESSES_GATE_BARRED_H

#include "daemon/processes/gate/limits.h"
#include "games/macros.h"

#include <jansson.h>

/*
 * The networks that staff have banned, as the core tells the gate (PROTOCOL.md, "The gate"). They
 * are not kept out altogether: who is banned may appeal, and staff are kept out by name alone. But
 * one connection at a time is enough for that.
 */
enum {
    BARRED_MAX = 256 /* of more, the core alone knows */
};

struct barred {
    size_t count;
    struct barred_net {
        uint8_t bytes[16]; /* as limits_source */
        uint8_t bits;
    } nets[BARRED_MAX];
};

/* Takes `nets` of the message for all there are; what is none is left out. */
void barred_take(struct barred *barred, const json_t *message);

/* The net the source is in; -1: in none. Nets smaller than a source (limits.h) have no source. */
int barred_find(const struct barred *barred, const struct limits_source *source) MUST_CHECK;

#endif
