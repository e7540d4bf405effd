#pragma once

#include "storage/cluster/cluster_state.h"

/* Inside storage/cluster/ only: the list of nodes (cluster_nodes.h), as a result of this query. */
#define CLUSTER_LIST_QUERY                                                                         \
    "SELECT n.node, n.until > clock_timestamp(), n.address, n.key, n.version,"                     \
    " EXISTS (SELECT FROM cluster.leases l WHERE l.scope = 0 AND l.node = n.node),"                \
    " EXISTS (SELECT FROM cluster.leases l WHERE l.scope = 0 AND l.node = n.node"                  \
    " AND l.left_by = n.node),"                                                                    \
    " n.pause_until > '-infinity',"                                                                \
    " ceil(extract(epoch FROM greatest(n.until, clock_timestamp()) - clock_timestamp()) * 1000),"  \
    " (SELECT l.steps FROM cluster.leases l WHERE l.scope = 0)"                                    \
    " FROM cluster.nodes n ORDER BY n.node"

/* Keeps the list that the rows describe, and counts a change. Returns STORAGE_OK; STORAGE_REFUSED
 * if the database knows fewer steps than before (cluster_steps). */
enum storage_result cluster_list_take(struct cluster *cluster, const PGresult *rows) MUST_CHECK;

/* Notes steps that were read before a commit that has become durable, and so are durable too. */
void cluster_list_note_durable(struct cluster *cluster, int64_t steps);
