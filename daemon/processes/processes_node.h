#pragma once

#include "daemon/processes/bridge/bridge.h"
#include "daemon/processes/processes.h"

/* What the supervisor adds if several nodes run the house: the key of this node, the socket at
 * which its bridge listens, and the numbers of its connections. All of it stays the same when the
 * bridge is restarted. */

/* Loads the node's key and opens the socket, unless that was done before. Does nothing if the house
 * has one node. Returns false, with a line on the log, on failure; but in a house that is open
 * already, the socket may be missing. */
bool processes_node_prepare(struct processes *processes) MUST_CHECK;

/* Opens the socket unless it is open. Returns false, with a line on the log, on failure. */
bool processes_node_listen(struct processes *processes) MUST_CHECK;
void processes_node_close(struct processes *processes);

/* Returns what the bridge needs. */
struct bridge_setup processes_node_make_bridge_setup(const struct processes *processes);

/* Returns the number that is added to the connection numbers of this node, so that no two nodes
 * have the same. */
int64_t processes_node_first_conn(const struct processes *processes);
