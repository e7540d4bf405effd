#include "storage/cluster/cluster_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy_text(const struct cluster *cluster, const PGresult *rows, int row, int column,
                      char *copy, size_t size)
{
    (void)snprintf(copy, size, "%s", cluster->pq->PQgetvalue(rows, row, column));
}

static bool is_true(const struct cluster *cluster, const PGresult *rows, int row, int column)
{
    return cluster->pq->PQgetvalue(rows, row, column)[0] == 't';
}

void cluster_list_take(struct cluster *cluster, const PGresult *rows)
{
    struct cluster_list *list = &cluster->next_list;
    const int count = cluster->pq->PQntuples(rows);

    memset(list, 0, sizeof *list); /* so that two equal lists are equal bytes */
    list->holder = CLUSTER_NOBODY;
    for (int i = 0; i < count && list->count < ARRAY_LEN(list->nodes); i++) {
        struct cluster_node *node = &list->nodes[list->count++];
        node->node = (int)strtol(cluster->pq->PQgetvalue(rows, i, 0), NULL, 10);
        node->is_alive = is_true(cluster, rows, i, 1);
        copy_text(cluster, rows, i, 2, node->address, sizeof node->address);
        copy_text(cluster, rows, i, 3, node->key, sizeof node->key);
        copy_text(cluster, rows, i, 4, node->version, sizeof node->version);
        if (node->is_alive && is_true(cluster, rows, i, 5)) {
            list->holder = node->node;
        }
    }
    if (memcmp(&cluster->list, list, sizeof *list) != 0) {
        memcpy(&cluster->list, list, sizeof *list);
        cluster->list_changes++;
    }
}
