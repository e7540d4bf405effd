#include "storage/cluster/cluster.h"

#include "storage/cluster/cluster_state.h"
#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Generated from migrations/cluster/NNN-what.sql: `migrations_cluster`, an array of struct
 * migration. */
#include "storage/upkeep/migrations_cluster.inc"

#define FORGET "DELETE FROM cluster.nodes WHERE node = $1 AND until <= clock_timestamp()"

/* More steps than any node has seen: in the mean, a house makes fewer than a thousand a second. */
#define ACCEPT                                                                                     \
    "UPDATE cluster.leases SET steps ="                                                            \
    " greatest(steps, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) WHERE scope = 0"

#define HAND_OVER                                                                                  \
    "UPDATE cluster.leases SET left_by = node, left_at = clock_timestamp()"                        \
    " WHERE scope = 0 AND node = coalesce($1, node)"

enum storage_result cluster_nodes_read(struct cluster *cluster)
{
    PGresult *rows = cluster_connection_ask(cluster, CLUSTER_LIST_QUERY, 0, NULL);

    if (rows == NULL) {
        return STORAGE_IO;
    }
    const enum storage_result result = cluster_list_take(cluster, rows);
    cluster->pq->PQclear(rows);
    return result;
}

const struct cluster_list *cluster_nodes(const struct cluster *cluster)
{
    return &cluster->list;
}

uint64_t cluster_nodes_changes(const struct cluster *cluster)
{
    return cluster->list_changes;
}

enum storage_result cluster_nodes_forget(struct cluster *cluster, int node)
{
    char number[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {number};

    (void)snprintf(number, sizeof number, "%d", node);
    const enum storage_result result =
        cluster_connection_change(cluster, FORGET, ARRAY_LEN(arguments), arguments);
    if (result != STORAGE_NOT_FOUND) {
        return result;
    }
    RETURN_FAILURE(cluster_nodes_read(cluster));
    for (size_t i = 0; i < cluster->list.count; i++) {
        if (cluster->list.nodes[i].node == node) {
            (void)snprintf(cluster->why, sizeof cluster->why, "node %d is alive", node);
            return STORAGE_REFUSED;
        }
    }
    (void)snprintf(cluster->why, sizeof cluster->why, "there is no node %d", node);
    return STORAGE_NOT_FOUND;
}

enum storage_result cluster_nodes_accept(struct cluster *cluster)
{
    return cluster_connection_change(cluster, ACCEPT, 0, NULL);
}

enum storage_result cluster_nodes_hand_over(struct cluster *cluster, int holder)
{
    char number[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {holder == CLUSTER_NOBODY ? NULL : number};

    (void)snprintf(number, sizeof number, "%d", holder);
    const enum storage_result result =
        cluster_connection_change(cluster, HAND_OVER, ARRAY_LEN(arguments), arguments);
    if (result == STORAGE_NOT_FOUND && holder == CLUSTER_NOBODY) {
        (void)snprintf(cluster->why, sizeof cluster->why, "no node holds the house");
    } else if (result == STORAGE_NOT_FOUND) {
        (void)snprintf(cluster->why, sizeof cluster->why, "node %d does not hold the house",
                       holder);
    }
    return result;
}

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
    cluster->timeline = options->seen.timeline;
    cluster->steps = options->seen.steps;
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
    const enum storage_result result =
        cluster_connection_change(cluster, BEAT, ARRAY_LEN(arguments), arguments);
    if (result == STORAGE_NOT_FOUND) {
        cluster->incarnation[0] = '\0';
    }
    RETURN_FAILURE(result);
    cluster_list_note_durable(cluster, steps);
    cluster->commit_ms = cluster_connection_clock_ms() - now_ms;
    return STORAGE_OK;
}

enum storage_result cluster_watch(struct cluster *cluster, bool *is_held)
{
    char steps[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation,
                                     cluster->connected_at, steps};

    *is_held = false;
    enum storage_result result = STORAGE_OK;
    if (cluster->connection == NULL) {
        result = cluster_connect(cluster);
    }
    if (result == STORAGE_OK && cluster->incarnation[0] == '\0') {
        result = cluster_register(cluster);
    }
    RETURN_FAILURE(result);
    (void)snprintf(steps, sizeof steps, "%" PRId64, cluster->steps);
    RETURN_FAILURE(beat_if_due(cluster));
    result = ask_for_number(cluster, CLAIM, ARRAY_LEN(arguments), arguments, cluster->epoch);
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

enum storage_result cluster_give_up(struct cluster *cluster, bool is_for_others)
{
    const char *statement = is_for_others ? LEAVE_LEASE_TO_OTHERS : GIVE_UP_LEASE;
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

struct cluster_seen cluster_seen(const struct cluster *cluster)
{
    return (struct cluster_seen){cluster->timeline, cluster->steps};
}

int64_t cluster_commit_ms(const struct cluster *cluster)
{
    return cluster->commit_ms;
}

int cluster_own_node(const struct cluster *cluster)
{
    return cluster->options.node;
}

const char *cluster_failure(const struct cluster *cluster)
{
    return cluster->why;
}

#define BARRIERS 5    /* barriers within a lease's time, at least */
#define URL_SIZE 8192 /* room for the URL of the connection for transactions */

/* Also finds no row if this node does not hold the lease any more. It is prepared, because to parse
 * and plan it anew takes several times as long as to run it. */
#define BARRIER "barrier"
#define PREPARE_BARRIER                                                                            \
    "DEALLOCATE ALL; PREPARE " BARRIER " AS UPDATE cluster.nodes SET beat = beat + 1,"             \
    " until = clock_timestamp() + $2::bigint * interval '1 ms'"                                    \
    " WHERE node = $1 AND incarnation = $3 AND until > clock_timestamp() AND EXISTS"               \
    " (SELECT FROM cluster.leases l WHERE l.scope = 0 AND l.node = $1 AND l.epoch = $4)"

/* Gives the node time to load the house, and forgets that it could not open the data before. */
#define BEGIN_LOADING                                                                              \
    "UPDATE cluster.nodes SET pause_until = '-infinity',"                                          \
    " until = clock_timestamp() + 8 * $2::bigint * interval '1 ms'"                                \
    " WHERE node = $1 AND incarnation = $3 AND until > clock_timestamp()"

/* Fails unless one row is changed: the answer is read together with that of the commit, and a
 * number of changed rows would be read too late. The text in place of a number makes the server's
 * message.
 */
#define FENCE                                                                                      \
    "WITH step AS (UPDATE cluster.leases SET steps = steps + 1"                                    \
    " WHERE scope = 0 AND node = ? AND epoch = ? RETURNING scope)"                                 \
    " SELECT CAST(CASE count(*) WHEN 1 THEN '1' ELSE '" POSTGRES_FENCED "' END"                    \
    " AS bigint) FROM step"

/* Counts a step of the lease in the transaction that is to be committed. */
static enum storage_result count_step(struct storage *storage)
{
    const struct cluster *cluster = storage->cluster;

    return sql_run_deferred(SQL_WRITE(storage, FENCE, SQL_INT(cluster->options.node),
                                      SQL_INT(strtoll(cluster->epoch, NULL, 10))));
}

/* Sends the question that is due, unless an answer is still awaited. */
static bool send_due_question(struct cluster *cluster, uint64_t last_turn)
{
    struct cluster_barriers *barriers = &cluster->barriers;
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation,
                                     cluster->epoch};
    const int64_t now_ms = cluster_connection_clock_ms();
    const int64_t every_ms = cluster->options.lease_ms / BARRIERS;

    if (barriers->asked != CLUSTER_ASKS_NOTHING) {
        return true;
    }
    barriers->asked_ms = now_ms;
    /* the list is asked for also while every moment has its barrier */
    const bool is_list_due = now_ms - barriers->list_ms >= every_ms;
    if (!barriers->has_begun || (!is_list_due && barriers->covers < last_turn) ||
        now_ms - barriers->barrier_ms >= every_ms) {
        barriers->asked = CLUSTER_ASKS_BARRIER;
        barriers->has_begun = true;
        barriers->covers = last_turn;
        barriers->steps = cluster->read_steps;
        barriers->barrier_ms = now_ms;
        return cluster_connection_send_prepared(cluster, BARRIER, ARRAY_LEN(arguments), arguments);
    }
    if (is_list_due) {
        barriers->asked = CLUSTER_ASKS_LIST;
        barriers->list_ms = now_ms;
        return cluster_connection_send(cluster, CLUSTER_LIST_QUERY, 0, NULL);
    }
    return true;
}

/* Handles a result of the answer. */
static bool take_result(struct cluster *cluster, PGresult *result)
{
    if (!cluster_connection_is_good(cluster, result)) {
        return false;
    }
    if (cluster->barriers.asked == CLUSTER_ASKS_LIST) {
        if (cluster_list_take(cluster, result) != STORAGE_OK) {
            cluster_connection_close(cluster);
            return false;
        }
    } else if (strcmp(cluster->pq->PQcmdTuples(result), "1") != 0) {
        cluster_connection_fail(cluster, "this node's lease of the house has run out");
        return false;
    }
    return true;
}

/* Handles the end of the answer. A warning may have come after the result. */
static bool end_answer(struct cluster *cluster)
{
    struct cluster_barriers *barriers = &cluster->barriers;

    if (cluster->was_warned) {
        cluster_connection_fail(cluster, "somebody has cancelled the wait for a standby");
        return false;
    }
    if (barriers->asked == CLUSTER_ASKS_BARRIER) {
        barriers->durable = barriers->covers;
        cluster_list_note_durable(cluster, barriers->steps);
        cluster->commit_ms = cluster_connection_clock_ms() - barriers->asked_ms;
    }
    barriers->asked = CLUSTER_ASKS_NOTHING;
    return true;
}

/* Reads what has arrived of the answer. */
static bool read_answer(struct cluster *cluster)
{
    const struct libpq *pq = cluster->pq;

    if (cluster->barriers.asked == CLUSTER_ASKS_NOTHING) {
        return true;
    }
    if (pq->PQconsumeInput(cluster->connection) != 1) {
        cluster_connection_fail(cluster, pq->PQerrorMessage(cluster->connection));
        return false;
    }
    while (cluster->barriers.asked != CLUSTER_ASKS_NOTHING && !pq->PQisBusy(cluster->connection)) {
        PGresult *result = pq->PQgetResult(cluster->connection);
        const bool is_good = result != NULL ? take_result(cluster, result) : end_answer(cluster);
        pq->PQclear(result);
        if (!is_good) {
            return false;
        }
    }
    if (cluster->barriers.asked != CLUSTER_ASKS_NOTHING &&
        cluster_connection_clock_ms() - cluster->barriers.asked_ms >
            cluster_connection_patience_ms(cluster)) {
        cluster_connection_fail(cluster, "the database does not answer");
        return false;
    }
    return true;
}

static enum storage_result settle(struct storage *storage, uint64_t *durable)
{
    struct cluster *cluster = storage->cluster;

    if (!cluster->barriers.has_failed &&
        (!read_answer(cluster) || !send_due_question(cluster, storage_last_turn(storage)))) {
        cluster->barriers.has_failed = true;
        storage->failed = STORAGE_IO;
        (void)snprintf(storage->why, sizeof storage->why, "%s", cluster->why);
    }
    *durable = cluster->barriers.durable;
    return cluster->barriers.has_failed ? STORAGE_IO : STORAGE_OK;
}

static size_t list_sockets(const struct storage *storage, int sockets[STORAGE_SOCKETS_MAX])
{
    const struct cluster *cluster = storage->cluster;

    if (cluster->connection == NULL) {
        return 0;
    }
    sockets[0] = cluster->pq->PQsocket(cluster->connection);
    return 1;
}

/* True if the transactions' connection is to the server to which the membership is connected. */
static enum storage_result check_server(struct storage *storage)
{
    struct sql q = sql_read(storage, CLUSTER_DESCRIBE_SERVER);
    bool is_same = false;

    if (sql_first_row(&q)) {
        is_same = strcmp(sql_borrow_text(&q), storage->cluster->server) == 0;
    }
    RETURN_FAILURE(sql_end(&q));
    if (!is_same) {
        (void)snprintf(storage->why, sizeof storage->why,
                       "the connections of this node lead to different servers");
        return STORAGE_IO;
    }
    return STORAGE_OK;
}

static enum storage_result set_fence_and_barriers(struct storage *storage, struct cluster *cluster)
{
    storage->cluster = cluster;
    RETURN_FAILURE(check_server(storage));
    cluster->barriers = (struct cluster_barriers){.asked = CLUSTER_ASKS_NOTHING};
    cluster->engine = *storage->engine;
    cluster->engine.before_commit = count_step;
    cluster->engine.settle = settle;
    cluster->engine.sockets = list_sockets;
    storage->engine = &cluster->engine;
    return STORAGE_OK;
}

/* Gives this node time to load the house, and prepares the barriers. */
static enum storage_result begin_loading(struct cluster *cluster)
{
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation};

    RETURN_FAILURE(
        cluster_connection_change(cluster, BEGIN_LOADING, ARRAY_LEN(arguments), arguments));
    PGresult *prepared = cluster_connection_ask(cluster, PREPARE_BARRIER, 0, NULL);
    const bool is_prepared = prepared != NULL;
    cluster->pq->PQclear(prepared);
    return is_prepared ? STORAGE_OK : STORAGE_IO;
}

enum storage_result cluster_house_open(struct cluster *cluster, struct storage **storage,
                                       char why[STORAGE_WHY_SIZE])
{
    char url[URL_SIZE];

    *storage = NULL;
    if (begin_loading(cluster) != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", cluster->why);
        return STORAGE_IO;
    }
    if (!cluster_connection_write_url(cluster, url, sizeof url)) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "the URL of the database is too long");
        return STORAGE_IO;
    }
    RETURN_FAILURE(storage_open(url, storage, why));
    const enum storage_result result = set_fence_and_barriers(*storage, cluster);
    if (result != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", (*storage)->why);
        storage_close(*storage);
        *storage = NULL;
    }
    return result;
}
