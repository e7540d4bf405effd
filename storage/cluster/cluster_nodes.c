#include "storage/cluster/cluster.h"

#include "storage/cluster/cluster_connection.h"
#include "storage/cluster/cluster_list.h"
#include "storage/sql/sql.h"

#include <stdio.h>

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
