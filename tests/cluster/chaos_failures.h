#pragma once

#include "tests/cluster/postgres_rig.h"
#include "tests/kills/crowd.h"

#include <stdbool.h>
#include <stddef.h>

/* The failures of machines and processes that chaos.c causes while people play. */

struct chaos {
    struct crowd crowd;
    struct postgres_rig *rig; /* in memory that helper processes share; NULL: one house on SQLite */
    unsigned victim;          /* the index of the node, or of the database, that failed last */
};

/* cause: makes it fail; called by the process that lets the players play, so it takes only
 *        milliseconds. Returns false if there is nothing to fail.
 * go_on: what others do so that the house can work again, such as promoting the standby. Runs in a
 *        helper process; NULL: nothing.
 * mend:  makes it whole again, once the players play on. Runs in a helper process too. NULL:
 *        nothing; nodes that do not run are started in any case. */
struct failure {
    const char *name;
    bool needs_cluster; /* false: a house alone has it too */
    bool is_for_alone;  /* true: only a house alone has it */
    bool loses_if_asynchronous;
    bool (*cause)(struct chaos *chaos);
    void (*go_on)(struct chaos *chaos);
    void (*mend)(struct chaos *chaos);
};

extern const struct failure failures[];
extern const size_t failure_count;
