#pragma once

#include "tests/cluster/postgres_rig.h"

#include <stdbool.h>
#include <stdint.h>

/* What writes into the database while patroni.c kills the primary: a simple writer
 * (patroni_writer.h), or the house itself (patroni_house.h). */
struct patroni_load {
    /* Writes for that time. Failures of the database are no failures of the load. */
    void (*write_for_ms)(void *context, int64_t ms);
    /* Writes until something that was begun after the call is acknowledged, in a house at every
     * table. Returns how long that took, or -1 if it took longer than the limit. */
    int64_t (*wait_for_write)(void *context, int64_t limit_ms);
    /* Ends the load, prints how much was acknowledged and lost, and frees everything. Returns
     * whether nothing was lost. */
    bool (*finish)(void *context);
    void *context;
};
