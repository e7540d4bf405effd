#pragma once

#include "storage/cluster/cluster.h"
#include "storage/sql/postgres.h"
#include "storage/sql/sql.h"

/* Inside storage/cluster/ only: the membership of a node (cluster.h). cluster_connection.c talks
 * with the database. */

#define CLUSTER_NUMBER_SIZE 24 /* room for a number as text, as statements get their arguments */
#define CLUSTER_TIME_SIZE 48
#define CLUSTER_SERVER_SIZE 192

/* Two connections that get the same text are to the same database of the same running server. */
#define CLUSTER_DESCRIBE_SERVER                                                                    \
    "SELECT concat_ws(' ', system_identifier, extract(epoch FROM pg_postmaster_start_time()),"     \
    " inet_server_addr(), inet_server_port(), current_database()) FROM pg_control_system()"

/* What the connection is waiting for while the house is open (cluster.c). */
enum cluster_question {
    CLUSTER_ASKS_NOTHING,
    CLUSTER_ASKS_BARRIER,
    CLUSTER_ASKS_LIST,
};

/* The barriers of an open house. Times are of the steady clock. */
struct cluster_barriers {
    enum cluster_question asked;
    bool has_failed;    /* for good */
    int64_t asked_ms;   /* when the question was sent */
    int64_t barrier_ms; /* when the last barrier was sent */
    int64_t list_ms;    /* when the list of nodes was last asked for */
    bool has_begun;     /* at least one barrier was sent */
    uint64_t covers;    /* the last turn before the last barrier */
    int64_t steps;      /* cluster.read_steps before the last barrier */
    uint64_t durable;   /* the last turn before the last barrier that has come back */
};

struct cluster {
    struct cluster_options options; /* the texts are in the members below */
    char *url;
    char owner[CLUSTER_OWNER_SIZE];
    char address[CLUSTER_ADDRESS_SIZE];
    char key[CLUSTER_KEY_SIZE];
    char version[CLUSTER_VERSION_SIZE];
    char node[CLUSTER_NUMBER_SIZE];
    char lease_ms[CLUSTER_NUMBER_SIZE];

    const struct libpq *pq;
    PGconn *connection;               /* NULL: not connected */
    unsigned tries;                   /* how often it tried to connect */
    bool was_warned;                  /* the server has sent a warning since the last question */
    char server[CLUSTER_SERVER_SIZE]; /* names the server that is connected */
    char connected_at[CLUSTER_TIME_SIZE]; /* in the database's time */
    int64_t timeline;                     /* the highest timeline of a server so far */
    int64_t steps;                        /* the most durable steps so far (cluster_seen) */
    int64_t read_steps;                   /* as read last; not all of them need be durable */

    char incarnation[CLUSTER_NUMBER_SIZE]; /* "": not registered */
    char epoch[CLUSTER_NUMBER_SIZE];       /* of the lease of the house; "": not held */
    int64_t commit_ms;                     /* how long the last durable commit took */
    int64_t beat_ms;                       /* when this node last beat; steady clock */
    struct cluster_list list, next_list;   /* the list, and the place where the next one is read */
    uint64_t list_changes;
    int64_t holder_left_ms; /* how long the holder's time lasted when the list was read, if the list
                               has a holder */

    struct cluster_barriers barriers;
    struct sql_engine engine; /* that of the open house */
    char why[STORAGE_WHY_SIZE];
};

/* The connection of a membership. All functions that fail disconnect and describe the failure in
 * cluster->why. */

/* Returns the time of a clock that never jumps, in ms. */
int64_t cluster_connection_clock_ms(void);

/* Returns for how long an answer may be late, in ms. */
int64_t cluster_connection_patience_ms(const struct cluster *cluster);

/* Asks the caller of the function that waits. Call it at least every CLUSTER_SLICE_MS. */
#define CLUSTER_SLICE_MS 100

/* Connects to the server that takes writes. */
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

/* The list of nodes (cluster_nodes), as a result of this query. */
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
 * if the database knows fewer steps than before (cluster_seen). */
enum storage_result cluster_list_take(struct cluster *cluster, const PGresult *rows) MUST_CHECK;

/* Notes steps that were read before a commit that has become durable, and so are durable too. */
void cluster_list_note_durable(struct cluster *cluster, int64_t steps);
