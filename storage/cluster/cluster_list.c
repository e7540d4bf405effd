#include "storage/cluster/cluster_list.h"

#include <inttypes.h>
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

static bool is_same_node(const struct cluster_node *a, const struct cluster_node *b)
{
    return a->node == b->node && a->is_alive == b->is_alive &&
           a->has_failed_to_open == b->has_failed_to_open && strcmp(a->address, b->address) == 0 &&
           strcmp(a->key, b->key) == 0 && strcmp(a->version, b->version) == 0;
}

static bool is_same_list(const struct cluster_list *a, const struct cluster_list *b)
{
    bool is_same = a->holder == b->holder && a->is_asked_to_leave == b->is_asked_to_leave &&
                   a->count == b->count;

    for (size_t i = 0; is_same && i < a->count; i++) {
        is_same = is_same_node(&a->nodes[i], &b->nodes[i]);
    }
    return is_same;
}

static enum storage_result take_steps(struct cluster *cluster, int64_t steps)
{
    if (steps < cluster->steps) {
        (void)snprintf(cluster->why, sizeof cluster->why,
                       "the database was restored from an older copy: it has %" PRId64
                       " changes, and people were told %" PRId64
                       ". If that is meant: trickhouse cluster accept",
                       steps, cluster->steps);
        return STORAGE_REFUSED;
    }
    cluster->read_steps = steps;
    return STORAGE_OK;
}

void cluster_list_note_durable(struct cluster *cluster, int64_t steps)
{
    if (steps > cluster->steps) {
        cluster->steps = steps;
    }
}

enum storage_result cluster_list_take(struct cluster *cluster, const PGresult *rows)
{
    struct cluster_list *list = &cluster->next_list;
    const int count = cluster->pq->PQntuples(rows);

    list->count = 0;
    list->holder = CLUSTER_NOBODY;
    list->is_asked_to_leave = false;
    for (int i = 0; i < count && list->count < ARRAY_LEN(list->nodes); i++) {
        struct cluster_node *node = &list->nodes[list->count++];
        node->node = (int)strtol(cluster->pq->PQgetvalue(rows, i, 0), NULL, 10);
        node->is_alive = is_true(cluster, rows, i, 1);
        copy_text(cluster, rows, i, 2, node->address, sizeof node->address);
        copy_text(cluster, rows, i, 3, node->key, sizeof node->key);
        copy_text(cluster, rows, i, 4, node->version, sizeof node->version);
        node->has_failed_to_open = is_true(cluster, rows, i, 7);
        if (node->is_alive && is_true(cluster, rows, i, 5)) {
            list->holder = node->node;
            cluster->holder_left_ms = strtoll(cluster->pq->PQgetvalue(rows, i, 8), NULL, 10);
            list->is_asked_to_leave = is_true(cluster, rows, i, 6);
        }
    }
    if (!is_same_list(&cluster->list, list)) {
        memcpy(&cluster->list, list, sizeof *list);
        cluster->list_changes++;
    }
    return count == 0 ? STORAGE_OK
                      : take_steps(cluster, strtoll(cluster->pq->PQgetvalue(rows, 0, 9), NULL, 10));
}
