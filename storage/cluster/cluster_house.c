#include "storage/cluster/cluster.h"

#include "storage/cluster/cluster_connection.h"
#include "storage/cluster/cluster_list.h"
#include "storage/sql/postgres.h"
#include "storage/sql/sql.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    barriers->is_good = true;
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
