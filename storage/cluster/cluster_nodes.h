#pragma once

#include "storage/cluster/cluster.h"

/* The nodes of a house, as the database knows them. */
struct cluster_node {
    int node;
    bool is_alive;           /* its time has not run out */
    bool has_failed_to_open; /* it could not open the data when it held the house last */
    char address[CLUSTER_ADDRESS_SIZE];
    char key[CLUSTER_KEY_SIZE];
    char version[CLUSTER_VERSION_SIZE];
};

struct cluster_list {
    int holder;             /* the node that holds the house and is alive; CLUSTER_NOBODY: none */
    bool is_asked_to_leave; /* the holder is asked to give the house up (cluster_nodes_hand_over) */
    size_t count;
    struct cluster_node nodes[CLUSTER_NODE_MAX + 1]; /* in the order of their numbers */
};

/* Reads the list from the database. Returns STORAGE_OK; STORAGE_REFUSED if the list was read, but
 * the database was restored from an older copy (cluster_steps); STORAGE_IO. */
enum storage_result cluster_nodes_read(struct cluster *cluster) MUST_CHECK;

/* Returns the list as it was read last, by cluster_nodes_read, cluster_watch or the barriers of an
 * open house (cluster_house.h); empty before. Borrowed; it changes with the next reading. */
const struct cluster_list *cluster_nodes(const struct cluster *cluster);

/* Returns how often a reading found another list than the one before. */
uint64_t cluster_nodes_changes(const struct cluster *cluster);

/* Removes a node that will not come back. Returns STORAGE_OK; STORAGE_NOT_FOUND if there is no such
 * node; STORAGE_REFUSED if it is alive; STORAGE_IO. */
enum storage_result cluster_nodes_forget(struct cluster *cluster, int node) MUST_CHECK;

/* Has all nodes accept a database that was restored from an older copy (cluster_steps): what was
 * told since that copy is lost. Returns STORAGE_OK, _IO. */
enum storage_result cluster_nodes_accept(struct cluster *cluster) MUST_CHECK;

/* Asks the node `holder`, which holds the house, to give it up (cluster_give_up); CLUSTER_NOBODY:
 * whichever node holds it. The holder learns that from the list of nodes, and another node takes
 * the house at its next look. The node that had it may take it again only after a lease's time; a
 * later process of it gives the house up when it registers. Returns STORAGE_OK; STORAGE_NOT_FOUND
 * if that node does not hold it; STORAGE_IO. */
enum storage_result cluster_nodes_hand_over(struct cluster *cluster, int holder) MUST_CHECK;
