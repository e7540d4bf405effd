#pragma once

#include "storage/cluster/cluster_state.h"

/* Inside storage/cluster/ only: the connection of a membership. All functions that fail disconnect
 * and describe the failure in cluster->why. */

/* Returns the time of a clock that never jumps, in ms. */
int64_t cluster_connection_clock_ms(void);

/* Returns for how long an answer may be late, in ms. */
int64_t cluster_connection_patience_ms(const struct cluster *cluster);

/* Asks the caller of the function that waits. Call it at least every CLUSTER_SLICE_MS. */
#define CLUSTER_SLICE_MS 100

/* Connects to the server that takes writes (cluster_servers.h). */
enum storage_result cluster_connection_open(struct cluster *cluster) MUST_CHECK;
void cluster_connection_close(struct cluster *cluster);

/* Describes a failure, and closes the connection. */
void cluster_connection_fail(struct cluster *cluster, const char *what);

/* Runs a statement with arguments as texts, and waits for its result. Returns NULL on a failure; a
 * warning is one, because the server only warns if somebody has cancelled the wait for a standby.
 * Free the result with PQclear. Without arguments the text may be several statements, which are
 * one transaction; the result is then that of the last. */
PGresult *cluster_connection_ask(struct cluster *cluster, const char *text, int count,
                                 const char *const *arguments);

/* Runs a statement that changes rows; STORAGE_NOT_FOUND if it has changed none. */
enum storage_result cluster_connection_change(struct cluster *cluster, const char *text, int count,
                                              const char *const *arguments) MUST_CHECK;

/* Sends a statement and does not wait. Returns false on a failure. */
bool cluster_connection_send(struct cluster *cluster, const char *text, int count,
                             const char *const *arguments) MUST_CHECK;

/* The same for a statement that this connection has prepared under a name (PREPARE). */
bool cluster_connection_send_prepared(struct cluster *cluster, const char *name, int count,
                                      const char *const *arguments) MUST_CHECK;

/* Waits for the rest of the answer to what was sent, if any, and drops it. Returns false on a
 * failure. */
bool cluster_connection_finish(struct cluster *cluster) MUST_CHECK;

/* True if the statement has succeeded, without a warning; otherwise fails. */
bool cluster_connection_is_good(struct cluster *cluster, const PGresult *result) MUST_CHECK;

/* Writes the URL with which a second connection reaches the server that is connected. */
bool cluster_connection_write_url(struct cluster *cluster, char *url, size_t size) MUST_CHECK;
