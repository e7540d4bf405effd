#pragma once

#include "storage/cluster/cluster.h"

/*
 * The data of the house, for the node that holds it.
 *
 * The fence: each transaction also counts a step of the lease under the epoch of this holder, and
 * fails with STORAGE_IO if another node has taken the lease since. So nothing is written under a
 * former epoch.
 *
 * The barrier: transactions are committed without waiting until they are on disk. A barrier is one
 * synchronous change of the node's own row, on the connection of the membership: once it has come
 * back, all transactions committed before it was sent are on the disks of the server and of its
 * synchronous standbys. It is also the node's beat, the proof that it still holds the lease, and
 * the proof that this server is still the primary, since a former one waits for its standbys in
 * vain. storage_settle sends one after new transactions, and at least every fifth of a lease's
 * time; one at a time. It fails, for good, if the row is not the node's own any more, on an error,
 * if somebody cancelled the wait for the standby, and after five sixteenths of a lease's time
 * (2.5 s) without an answer.
 */

/*
 * Opens the house's data on the very server to which the membership is connected, migrated to this
 * program's schema. The node must hold the house (cluster_watch). The membership is borrowed until
 * storage_close. Until the first call of storage_settle, the lease lasts eight times as long, so
 * that the house can be loaded meanwhile. Returns what storage_open returns; `why` describes a
 * failure.
 */
enum storage_result cluster_house_open(struct cluster *cluster, struct storage **storage,
                                       char why[STORAGE_WHY_SIZE]) MUST_CHECK;
