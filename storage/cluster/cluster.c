#include "storage/cluster/cluster.h"

#include "storage/cluster/cluster_connection.h"
#include "storage/cluster/cluster_list.h"
#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Generated from migrations/cluster/NNN-what.sql: `migrations_cluster`, an array of struct
 * migration. */
#include "storage/upkeep/migrations_cluster.inc"

#define BEATS 5 /* beats within a lease's time */

/* Of the session; an operator may have changed the defaults. The check: a process of the server
 * that waits for a lock ends when this node has given up the connection. */
#define SETTINGS                                                                                   \
    "SET synchronous_commit = on; SET statement_timeout = 0; SET lock_timeout = 0;"                \
    " SET idle_session_timeout = 0; SET client_connection_check_interval = '1 s';"

/* So that only one node at a time makes the tables; the number is "TrHo" in ASCII. */
#define LOCK_SCHEMA "SELECT pg_advisory_xact_lock(1416775791)"

#define READ_TIME "SELECT clock_timestamp()"

/* Another owner's row stays until its time has run out. Another house or another program may be
 * able to open the data, so neither has to wait for the end of a pause. */
#define REGISTER                                                                                   \
    "INSERT INTO cluster.nodes AS n"                                                               \
    " (node, incarnation, owner, address, key, version, until, beat)"                              \
    " VALUES ($1, 1, $3, $4, $5, $6, clock_timestamp() + $2::bigint * interval '1 ms', 0)"         \
    " ON CONFLICT (node) DO UPDATE SET incarnation = n.incarnation + 1, owner = excluded.owner,"   \
    " address = excluded.address, key = excluded.key, version = excluded.version,"                 \
    " until = excluded.until, pause_until = CASE WHEN n.owner = excluded.owner"                    \
    " AND n.version = excluded.version THEN n.pause_until ELSE '-infinity' END"                    \
    " WHERE n.owner = excluded.owner OR n.until <= clock_timestamp() RETURNING incarnation"

/* A node whose time has run out cannot beat: it must register anew. */
#define BEAT                                                                                       \
    "UPDATE cluster.nodes SET beat = beat + 1,"                                                    \
    " until = clock_timestamp() + $2::bigint * interval '1 ms'"                                    \
    " WHERE node = $1 AND incarnation = $3 AND until > clock_timestamp()"

/* The row of the lease is locked by a transaction of its holder that is just being committed: then
 * it is skipped, and tried again later. */
#define CLAIM                                                                                      \
    "UPDATE cluster.leases SET node = $1, epoch = epoch + 1, left_by = NULL WHERE scope IN ("      \
    "SELECT l.scope FROM cluster.leases l LEFT JOIN cluster.nodes n ON n.node = l.node"            \
    " WHERE l.scope = 0 AND l.steps >= $5"                                                         \
    " AND (l.node = $1 OR n.node IS NULL OR (n.until <= clock_timestamp()"                         \
    " AND $4::timestamptz + $2::bigint * interval '1 ms' <= clock_timestamp()))"                   \
    " AND (l.left_by IS DISTINCT FROM $1"                                                          \
    " OR l.left_at + $2::bigint * interval '1 ms' <= clock_timestamp())"                           \
    " AND EXISTS (SELECT FROM cluster.nodes own WHERE own.node = $1 AND own.incarnation = $3"      \
    " AND own.until > clock_timestamp() AND own.pause_until <= clock_timestamp())"                 \
    " FOR UPDATE OF l SKIP LOCKED) RETURNING epoch"

/* For a process that was asked to give the house up and died before it could. */
#define LEAVE_AS_ASKED                                                                             \
    "UPDATE cluster.leases SET node = NULL, epoch = epoch + 1"                                     \
    " WHERE scope = 0 AND node = $1 AND left_by = $1"

#define GIVE_UP(columns)                                                                           \
    "UPDATE cluster.leases SET node = NULL, epoch = epoch + 1" columns                             \
    " WHERE node = $1 AND EXISTS"                                                                  \
    " (SELECT FROM cluster.nodes n WHERE n.node = $1 AND n.incarnation = $2)"
#define GIVE_UP_LEASE GIVE_UP("")
#define LEAVE_LEASE_TO_OTHERS GIVE_UP(", left_by = $1, left_at = clock_timestamp()")
#define GIVE_UP_LEASE_AND_PAUSE                                                                    \
    "WITH paused AS (UPDATE cluster.nodes"                                                         \
    " SET pause_until = clock_timestamp()"                                                         \
    " + (0.75 + random() / 2) * $3::bigint * interval '1 ms'"                                      \
    " WHERE node = $1 AND incarnation = $2) " GIVE_UP_LEASE

#define LEAVE "UPDATE cluster.nodes SET until = '-infinity' WHERE node = $1 AND incarnation = $2"

static bool copy_text(char *copy, size_t size, const char *text)
{
    return (size_t)snprintf(copy, size, "%s", text) < size;
}

struct cluster *cluster_new(const struct cluster_options *options)
{
    struct cluster *cluster = calloc(1, sizeof *cluster);

    if (cluster == NULL) {
        return NULL;
    }
    cluster->options = *options;
    cluster->list.holder = CLUSTER_NOBODY;
    cluster->timeline = options->timeline;
    cluster->steps = options->steps;
    cluster->url = strdup(options->url);
    (void)snprintf(cluster->node, sizeof cluster->node, "%d", options->node);
    (void)snprintf(cluster->lease_ms, sizeof cluster->lease_ms, "%u", options->lease_ms);
    if (cluster->url == NULL || !copy_text(cluster->owner, sizeof cluster->owner, options->owner) ||
        !copy_text(cluster->address, sizeof cluster->address, options->address) ||
        !copy_text(cluster->key, sizeof cluster->key, options->key) ||
        !copy_text(cluster->version, sizeof cluster->version, options->version)) {
        cluster_free(cluster);
        return NULL;
    }
    return cluster;
}

void cluster_free(struct cluster *cluster)
{
    if (cluster != NULL) {
        cluster_connection_close(cluster);
        free(cluster->url);
        free(cluster);
    }
}

/* Makes the tables if they are missing, and sets up the connection. */
static bool prepare_connection(struct cluster *cluster)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        cluster_connection_fail(cluster, "out of memory");
        return false;
    }
    (void)fputs(SETTINGS LOCK_SCHEMA ";", out);
    for (size_t i = 0; i < ARRAY_LEN(migrations_cluster); i++) {
        (void)fputs(migrations_cluster[i].text, out);
    }
    PGresult *made = fclose(out) == 0 ? cluster_connection_ask(cluster, text, 0, NULL) : NULL;
    const bool is_made = made != NULL;
    cluster->pq->PQclear(made);
    free(text);
    return is_made;
}

/* Copies a column of the only row of a result. */
static void copy_column(const struct cluster *cluster, const PGresult *result, int column,
                        char *copy, size_t size)
{
    (void)snprintf(copy, size, "%s", cluster->pq->PQgetvalue(result, 0, column));
}

static bool note_server(struct cluster *cluster)
{
    PGresult *server = cluster_connection_ask(cluster, CLUSTER_DESCRIBE_SERVER, 0, NULL);
    PGresult *now = server == NULL ? NULL : cluster_connection_ask(cluster, READ_TIME, 0, NULL);
    const bool is_good = now != NULL;

    if (is_good) {
        copy_column(cluster, server, 0, cluster->server, sizeof cluster->server);
        copy_column(cluster, now, 0, cluster->connected_at, sizeof cluster->connected_at);
    }
    cluster->pq->PQclear(server);
    cluster->pq->PQclear(now);
    return is_good;
}

enum storage_result cluster_connect(struct cluster *cluster)
{
    RETURN_FAILURE(cluster_connection_open(cluster));
    return prepare_connection(cluster) && note_server(cluster) ? STORAGE_OK : STORAGE_IO;
}

void cluster_disconnect(struct cluster *cluster)
{
    cluster_connection_close(cluster);
}

/* Reads the number that a statement returns, if it found a row, and keeps it as a text. */
static enum storage_result ask_for_number(struct cluster *cluster, const char *text, int count,
                                          const char *const *arguments,
                                          char number[CLUSTER_NUMBER_SIZE])
{
    PGresult *row = cluster_connection_ask(cluster, text, count, arguments);

    if (row == NULL) {
        return STORAGE_IO;
    }
    const bool is_found = cluster->pq->PQntuples(row) == 1;
    if (is_found) {
        copy_column(cluster, row, 0, number, CLUSTER_NUMBER_SIZE);
    }
    cluster->pq->PQclear(row);
    return is_found ? STORAGE_OK : STORAGE_NOT_FOUND;
}

enum storage_result cluster_register(struct cluster *cluster)
{
    const char *const arguments[] = {cluster->node,    cluster->lease_ms, cluster->owner,
                                     cluster->address, cluster->key,      cluster->version};

    cluster->epoch[0] = '\0';
    const enum storage_result result =
        ask_for_number(cluster, REGISTER, ARRAY_LEN(arguments), arguments, cluster->incarnation);
    if (result == STORAGE_NOT_FOUND) {
        (void)snprintf(cluster->why, sizeof cluster->why,
                       "another house is registered as node %s and is alive, or died a moment ago",
                       cluster->node);
        return STORAGE_TAKEN;
    }
    RETURN_FAILURE(result);
    cluster->beat_ms = cluster_connection_clock_ms();
    return cluster_connection_change(cluster, LEAVE_AS_ASKED, 1, arguments) == STORAGE_IO
               ? STORAGE_IO
               : STORAGE_OK;
}

static enum storage_result beat_if_due(struct cluster *cluster)
{
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation};
    const int64_t now_ms = cluster_connection_clock_ms();

    if (now_ms - cluster->beat_ms < cluster->options.lease_ms / BEATS) {
        return STORAGE_OK;
    }
    cluster->beat_ms = now_ms;
    const int64_t steps = cluster->read_steps;
    RETURN_FAILURE(cluster_connection_change(cluster, BEAT, ARRAY_LEN(arguments), arguments));
    cluster_list_note_durable(cluster, steps);
    cluster->commit_ms = cluster_connection_clock_ms() - now_ms;
    return STORAGE_OK;
}

enum storage_result cluster_watch(struct cluster *cluster, bool *is_held)
{
    char steps[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation,
                                     cluster->connected_at, steps};

    (void)snprintf(steps, sizeof steps, "%" PRId64, cluster->steps);
    *is_held = false;
    RETURN_FAILURE(beat_if_due(cluster));
    const enum storage_result result =
        ask_for_number(cluster, CLAIM, ARRAY_LEN(arguments), arguments, cluster->epoch);
    if (result != STORAGE_OK && result != STORAGE_NOT_FOUND) {
        return result;
    }
    *is_held = result == STORAGE_OK;
    return cluster_nodes_read(cluster);
}

int64_t cluster_watch_pause_ms(const struct cluster *cluster)
{
    if (cluster->list.holder == CLUSTER_NOBODY) {
        return CLUSTER_VACANT_MS;
    }
    const int64_t left_ms = cluster->holder_left_ms + 1;
    return left_ms < CLUSTER_WATCH_MS ? left_ms : CLUSTER_WATCH_MS;
}

static enum storage_result give_up(struct cluster *cluster, const char *statement)
{
    const char *const arguments[] = {cluster->node, cluster->incarnation};

    if (cluster->incarnation[0] == '\0') {
        return STORAGE_OK;
    }
    if (!cluster_connection_finish(cluster)) {
        return STORAGE_IO;
    }
    enum storage_result result =
        cluster_connection_change(cluster, statement, ARRAY_LEN(arguments), arguments);
    if (result == STORAGE_OK || result == STORAGE_NOT_FOUND) {
        result = cluster_connection_change(cluster, LEAVE, ARRAY_LEN(arguments), arguments);
    }
    cluster->incarnation[0] = '\0';
    cluster->epoch[0] = '\0';
    return result == STORAGE_IO ? STORAGE_IO : STORAGE_OK;
}

enum storage_result cluster_give_up(struct cluster *cluster)
{
    return give_up(cluster, GIVE_UP_LEASE);
}

enum storage_result cluster_leave_to_others(struct cluster *cluster)
{
    return give_up(cluster, LEAVE_LEASE_TO_OTHERS);
}

enum storage_result cluster_give_up_and_pause(struct cluster *cluster)
{
    char pause_ms[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {cluster->node, cluster->incarnation, pause_ms};

    (void)snprintf(pause_ms, sizeof pause_ms, "%u",
                   cluster->options.lease_ms * CLUSTER_PAUSE_LEASES);
    cluster->epoch[0] = '\0';
    return cluster_connection_change(cluster, GIVE_UP_LEASE_AND_PAUSE, ARRAY_LEN(arguments),
                                     arguments) == STORAGE_IO
               ? STORAGE_IO
               : STORAGE_OK;
}

int64_t cluster_timeline(const struct cluster *cluster)
{
    return cluster->timeline;
}

int64_t cluster_steps(const struct cluster *cluster)
{
    return cluster->steps;
}

int64_t cluster_commit_ms(const struct cluster *cluster)
{
    return cluster->commit_ms;
}

bool cluster_is_connected(const struct cluster *cluster)
{
    return cluster->connection != NULL;
}

int cluster_own_node(const struct cluster *cluster)
{
    return cluster->options.node;
}

const char *cluster_failure(const struct cluster *cluster)
{
    return cluster->why;
}
