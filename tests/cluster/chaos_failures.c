#include "tests/cluster/chaos_failures.h"

#include "games/macros.h"
#include "tests/kills/killer.h"

#include <poll.h>
#include <sodium.h>
#include <stdlib.h>

#define NOTICE_MS 1000 /* until somebody notices that the primary is dead, and promotes */
#define STAND_MS 10000 /* how long a node stands still: longer than its lease */
#define GONE_MS 10000  /* how long the whole database is gone */
#define AWAKE_MS 2500  /* a former primary wakes up within this time after the promotion */
#define NO_STANDBY_MS 2000

static void let_time_pass(int ms)
{
    (void)poll(NULL, 0, ms);
}

/* Returns the index of the node that holds the house. */
static unsigned find_holder(const struct chaos *chaos)
{
    if (chaos->rig == NULL) {
        return 0;
    }
    PGconn *connection = postgres_rig_connect(chaos->rig, chaos->rig->primary);
    PGresult *row = PQexec(connection, "SELECT node FROM cluster.leases WHERE scope = 0");
    if (PQresultStatus(row) != PGRES_TUPLES_OK || PQntuples(row) != 1) {
        rig_fail(0, "nobody holds the house", PQerrorMessage(connection));
    }
    unsigned holder = (unsigned)strtoul(PQgetvalue(row, 0, 0), NULL, 10);
    PQclear(row);
    PQfinish(connection);
    if (holder == 0 || holder > chaos->crowd.node_count) {
        rig_fail(0, "a stranger holds the house", "");
    }
    return holder - 1;
}

static unsigned draw_node(const struct chaos *chaos)
{
    return randombytes_uniform(chaos->crowd.node_count);
}

static unsigned other_database(unsigned server)
{
    return 1 - server;
}

static bool kill_holder(struct chaos *chaos)
{
    chaos->victim = find_holder(chaos);
    node_kill(&chaos->crowd.nodes[chaos->victim]);
    return true;
}

static bool kill_other_node(struct chaos *chaos)
{
    unsigned others = chaos->crowd.node_count - 1;
    chaos->victim =
        (find_holder(chaos) + 1 + randombytes_uniform(others)) % chaos->crowd.node_count;
    node_kill(&chaos->crowd.nodes[chaos->victim]);
    return true;
}

static bool kill_and_start_house(struct chaos *chaos)
{
    struct node *node = &chaos->crowd.nodes[0];
    node_kill(node);
    node_start(node, chaos->crowd.setup.program);
    return true;
}

static bool pause_holder(struct chaos *chaos)
{
    chaos->victim = find_holder(chaos);
    node_pause(&chaos->crowd.nodes[chaos->victim]);
    return true;
}

static void resume_node(struct chaos *chaos)
{
    let_time_pass(STAND_MS);
    node_resume(&chaos->crowd.nodes[chaos->victim]);
}

static bool kill_core(struct chaos *chaos)
{
    pid_t supervisor = chaos->crowd.nodes[find_holder(chaos)].supervisor;
    return killer_kill_random_process(supervisor, VICTIM_CORE);
}

static bool kill_gate(struct chaos *chaos)
{
    return killer_kill_random_process(chaos->crowd.nodes[draw_node(chaos)].supervisor, VICTIM_GATE);
}

static bool kill_holders_bridge(struct chaos *chaos)
{
    pid_t supervisor = chaos->crowd.nodes[find_holder(chaos)].supervisor;
    return killer_kill_random_process(supervisor, VICTIM_BRIDGE);
}

static bool kill_bridge(struct chaos *chaos)
{
    return killer_kill_random_process(chaos->crowd.nodes[draw_node(chaos)].supervisor,
                                      VICTIM_BRIDGE);
}

static bool kill_primary(struct chaos *chaos)
{
    chaos->victim = chaos->rig->primary;
    postgres_rig_kill(chaos->rig, chaos->victim);
    return true;
}

static void promote_standby(struct chaos *chaos)
{
    let_time_pass(NOTICE_MS);
    postgres_rig_promote(chaos->rig, other_database(chaos->victim));
}

static void rebuild_other_database(struct chaos *chaos)
{
    postgres_rig_rebuild(chaos->rig, other_database(chaos->rig->primary));
}

static bool pause_primary(struct chaos *chaos)
{
    chaos->victim = chaos->rig->primary;
    postgres_rig_pause(chaos->rig, chaos->victim);
    return true;
}

static void promote_standby_and_wake_primary(struct chaos *chaos)
{
    promote_standby(chaos);
    let_time_pass((int)randombytes_uniform(AWAKE_MS));
    postgres_rig_resume(chaos->rig, chaos->victim);
}

static bool kill_standby(struct chaos *chaos)
{
    chaos->victim = other_database(chaos->rig->primary);
    postgres_rig_kill(chaos->rig, chaos->victim);
    return true;
}

static void start_standby(struct chaos *chaos)
{
    let_time_pass(NO_STANDBY_MS);
    postgres_rig_start(chaos->rig, chaos->victim);
}

/* The standby lacks what is committed between the two kills: nothing that anybody is told, unless
 * it replicates asynchronously. */
static void kill_primary_and_promote_old_standby(struct chaos *chaos)
{
    unsigned standby = chaos->victim;
    chaos->victim = chaos->rig->primary;
    let_time_pass(NOTICE_MS);
    postgres_rig_kill(chaos->rig, chaos->victim);
    postgres_rig_start(chaos->rig, standby);
    postgres_rig_promote(chaos->rig, standby);
}

static bool kill_both_databases(struct chaos *chaos)
{
    postgres_rig_kill(chaos->rig, 0);
    postgres_rig_kill(chaos->rig, 1);
    return true;
}

static void start_both_databases(struct chaos *chaos)
{
    unsigned primary = chaos->rig->primary;
    let_time_pass(GONE_MS);
    postgres_rig_start(chaos->rig, primary);
    postgres_rig_start(chaos->rig, other_database(primary));
    postgres_rig_wait_for_standby(chaos->rig);
}

const struct failure failures[] = {
    {.name = "house killed", .is_for_alone = true, .cause = kill_and_start_house},
    {.name = "core killed", .cause = kill_core},
    {.name = "gate killed", .cause = kill_gate},
    {.name = "node with the house killed", .needs_cluster = true, .cause = kill_holder},
    {.name = "another node killed", .needs_cluster = true, .cause = kill_other_node},
    {.name = "node with the house stands still for 10 s",
     .needs_cluster = true,
     .cause = pause_holder,
     .go_on = resume_node},
    {.name = "bridge of the house's node killed",
     .needs_cluster = true,
     .cause = kill_holders_bridge},
    {.name = "some bridge killed", .needs_cluster = true, .cause = kill_bridge},
    {.name = "primary killed",
     .needs_cluster = true,
     .cause = kill_primary,
     .go_on = promote_standby,
     .mend = rebuild_other_database},
    {.name = "primary stands still and wakes up",
     .needs_cluster = true,
     .cause = pause_primary,
     .go_on = promote_standby_and_wake_primary,
     .mend = rebuild_other_database},
    {.name = "standby killed",
     .needs_cluster = true,
     .cause = kill_standby,
     .go_on = start_standby},
    {.name = "standby killed, then the primary, and the standby promoted",
     .needs_cluster = true,
     .loses_if_asynchronous = true,
     .cause = kill_standby,
     .go_on = kill_primary_and_promote_old_standby,
     .mend = rebuild_other_database},
    {.name = "both databases gone for 10 s",
     .needs_cluster = true,
     .cause = kill_both_databases,
     .go_on = start_both_databases},
};
const size_t failure_count = ARRAY_LEN(failures);
