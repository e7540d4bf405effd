#pragma once

#include "storage/cluster/cluster.h"
#include "tests/cluster/postgres_rig.h"
#include "tests/storage/fixture.h"

/* Nodes of a house in the database of one PostgreSQL server. */

#define FIXTURE_LEASE_MS 1500 /* how long the leases of these nodes last */

struct cluster_fixture {
    struct postgres_rig rig;
    char url[POSTGRES_RIG_URL_SIZE];
};

/* Runs the tests with a server, and ends it. Returns the exit status of the program. */
int cluster_fixture_run(const struct CMUnitTest *tests, size_t count);

/* cmocka's setup of a test: gives *state the fixture, with an empty database. */
int cluster_fixture_setup(void **state);

/* Makes a membership that is not connected. The owner is "house N", with the node's number. */
struct cluster *cluster_fixture_new(const struct cluster_fixture *fixture, int node);

/* Connect the node, or connect and register it. They try again if a busy machine answers late. */
void cluster_fixture_connect(struct cluster *cluster);
void cluster_fixture_register(struct cluster *cluster);

/* Makes a membership that is connected and registered. */
struct cluster *cluster_fixture_join(const struct cluster_fixture *fixture, int node);

/* Lets the node watch once, after registering anew if its time has run out meanwhile, as it may on
 * a busy machine. True if it now holds the house. */
bool cluster_fixture_watch(struct cluster *cluster);

/* Lets the node watch until it holds the house. Returns how long that took, in ms. */
int64_t cluster_fixture_await_house(struct cluster *cluster);

/* Opens the house's data for the node that holds them. */
struct storage *cluster_fixture_open_house(struct cluster *cluster);

/* Makes a membership that is registered and takes the house, which nobody holds. */
struct cluster *cluster_fixture_join_and_hold(const struct cluster_fixture *fixture, int node);

/* The same, and opens the house's data. *holder becomes the membership. */
struct storage *cluster_fixture_join_and_open(const struct cluster_fixture *fixture, int node,
                                              struct cluster **holder);

/* Settles until the newest transaction is durable, or until it fails. */
enum storage_result cluster_fixture_settle(struct storage *storage);

/* Settles until that fails. */
void cluster_fixture_await_failure(struct storage *storage);

/* Writes a value and commits it. */
enum storage_result cluster_fixture_write(struct storage *storage, const char *value);

/* Checks the value that was written last. */
void cluster_fixture_assert_value(struct storage *storage, const char *expected);

/* Runs a statement in the database. */
void cluster_fixture_run_sql(const struct cluster_fixture *fixture, const char *sql);

/* The time of a clock that never jumps, in ms. */
int64_t cluster_fixture_clock_ms(void);
