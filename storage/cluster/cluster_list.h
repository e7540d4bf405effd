#pragma once

#include "storage/cluster/cluster_state.h"

/* Inside storage/cluster/ only: the list of nodes (cluster_nodes.h), as a result of this query. */
#define CLUSTER_LIST_QUERY                                                                         \
    "SELECT n.node, n.until > clock_timestamp(), n.address, n.key, n.version,"                     \
    " EXISTS (SELECT FROM cluster.leases l WHERE l.scope = 0 AND l.node = n.node),"                \
    " EXISTS (SELECT FROM cluster.leases l WHERE l.scope = 0 AND l.node = n.node"                  \
    " AND l.left_by = n.node),"                                                                    \
    " n.pause_until > '-infinity',"                                                                \
    " ceil(extract(epoch FROM greatest(n.until, clock_timestamp()) - clock_timestamp()) * 1000)"   \
    " FROM cluster.nodes n ORDER BY n.node"

/* Keeps the list that the rows describe, and counts a change. */
void cluster_list_take(struct cluster *cluster, const PGresult *rows);
