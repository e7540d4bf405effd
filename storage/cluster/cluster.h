#pragma once

#include "storage/storage.h"

/*
 * Several nodes run one house, whose data are in a PostgreSQL database. One node at a time holds
 * the lease of the house: only its core opens the house, the others wait. A node that says nothing
 * for a lease's time has lost its leases, and another one takes them. All times are those of the
 * database, so no node's clock matters.
 *
 * A struct cluster is the membership of one node, on a connection of its own:
 *
 *     new ──connect──> connected ──register──> registered ──claim──> holds the house
 *      ^                   │                       │                        │
 *      └───────────────────┴─────── failure ───────┴────────────────────────┘
 *
 * Functions that wait for the database wait for at most five sixteenths of a lease's time, and ask
 * `is_to_go_on` meanwhile. They return STORAGE_IO, and the node is disconnected, if the database
 * does not answer or answers with an error; `why` then says what happened. A statement
 * that failed may have had its effect.
 */
#define CLUSTER_NODE_MAX 511 /* highest number of a node */
#define CLUSTER_NOBODY (-1)  /* stands for the number of a node */
#define CLUSTER_ADDRESS_SIZE 193
#define CLUSTER_KEY_SIZE 129
#define CLUSTER_VERSION_SIZE 33
#define CLUSTER_NUMBER_SIZE 24 /* a number as text, as statements get their arguments */
#define CLUSTER_TIME_SIZE 48
#define CLUSTER_SERVER_SIZE 192
#define CLUSTER_LEASE_MS 8000 /* how long a lease lasts at least unless its node beats */

/* What a node has seen of its database, which its next process must know. */
struct cluster_seen {
    int64_t timeline; /* the highest timeline of a server; 0: none yet */
    /*
     * The most steps of the house that are known to be durable; 0: none yet. Each transaction of
     * the house is a step. A database that knows fewer was restored from an older copy, and lacks
     * what people were told; no node takes the house there until cluster_nodes_accept.
     */
    int64_t steps;
};

struct cluster_options {
    const char *url;   /* of the database; it may name several servers, of which one takes writes */
    int node;          /* from 1 to CLUSTER_NODE_MAX; 0: the only node of its house */
    const char *owner; /* names whoever registers as this node: as long as a node lives, no other
                          owner can register under its number */
    const char *address;      /* where the other nodes reach this one; "": nowhere */
    const char *key;          /* the public key of its bridge; "": it has none */
    const char *version;      /* of the program */
    struct cluster_seen seen; /* by earlier processes of this node */
    uint32_t lease_ms;        /* from CLUSTER_LEASE_MS; shorter only in tests */
    /* Called at least every 100 ms while a function waits for the database. If it returns false,
     * the function fails. NULL: none. */
    bool (*is_to_go_on)(void *context);
    void *context;
};

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

struct pg_conn;
struct libpq;
struct sql_engine;

struct cluster {
    struct cluster_options options;
    char node[CLUSTER_NUMBER_SIZE];
    char lease_ms[CLUSTER_NUMBER_SIZE];

    /* What others may read. */
    struct cluster_list list;   /* as it was read last; empty before */
    uint64_t list_changes;      /* how often a reading found another list than the one before */
    struct cluster_seen seen;   /* what this node has seen so far: keep it for the next process */
    int64_t commit_ms;          /* how long the last commit took until it was durable; 0: none */
    char why[STORAGE_WHY_SIZE]; /* the last failure; "": none. It contains no password */

    const struct libpq *pq;
    struct pg_conn *connection;       /* NULL: not connected */
    unsigned tries;                   /* how often it tried to connect */
    bool was_warned;                  /* the server has sent a warning since the last question */
    char server[CLUSTER_SERVER_SIZE]; /* names the server that is connected */
    char connected_at[CLUSTER_TIME_SIZE]; /* in the database's time */
    int64_t read_steps; /* the steps as read last; not all of them need be durable */

    char incarnation[CLUSTER_NUMBER_SIZE]; /* "": not registered */
    char epoch[CLUSTER_NUMBER_SIZE];       /* of the lease of the house; "": not held */
    int64_t beat_ms;                       /* when this node last beat; steady clock */
    struct cluster_list next_list;         /* the place where the next one is read */
    int64_t holder_left_ms; /* how long the holder's time lasted when the list was read, if the list
                               has a holder */

    struct cluster_barriers barriers;
    struct sql_engine *engine; /* that of the open house */
};

/* Makes a membership that is not connected yet; the texts of the options are borrowed. Aborts if
 * memory runs out. Free it with cluster_free. */
struct cluster *cluster_new(const struct cluster_options *options);

/* Disconnects and frees. Leases stay with the node until they run out. */
void cluster_free(struct cluster *cluster);

/*
 * Connects to the server that takes writes, and makes the tables of the nodes if there are none. If
 * several of the URL's servers take writes, that is the one with the newest history (timeline).
 * Refuses a server whose history is older than that of a server that this node has seen: it is a
 * former primary that does not know of its successor. Returns STORAGE_OK; STORAGE_IO;
 * STORAGE_FOREIGN if trying again is pointless: the library of PostgreSQL is not installed, or the
 * URL cannot be understood.
 */
enum storage_result cluster_connect(struct cluster *cluster) MUST_CHECK;

/* Registers this node: from now on, no earlier process of the node can beat, hold or write. Returns
 * STORAGE_OK; STORAGE_TAKEN (and stays connected) as long as another owner lives under this number;
 * STORAGE_IO. */
enum storage_result cluster_register(struct cluster *cluster) MUST_CHECK;

/*
 * What a node does again and again until it holds the house (cluster_watch_pause_ms): connects and
 * registers, as far as that was not done yet, beats, takes the lease of the house if it may, and
 * reads the list of nodes. The node may take the lease if it held it before, if
 * nobody holds it, or if its holder's time has run out. After each cluster_connect it waits for a
 * lease's time before it takes one that has run out: after a failover of the database all of them
 * have, and each holder comes first.
 *
 * Sets *is_held to whether this node now holds the house. Returns STORAGE_OK; STORAGE_NOT_FOUND if
 * the node's own time has run out: the next call registers again; STORAGE_REFUSED if the database
 * has counted fewer steps (cluster_seen) than this node knows, since it was restored; or what
 * cluster_connect and cluster_register return.
 */
enum storage_result cluster_watch(struct cluster *cluster, bool *is_held) MUST_CHECK;

/* Returns how long to wait until the next cluster_watch: at most CLUSTER_WATCH_MS; only until the
 * holder's time runs out, if that is sooner; and CLUSTER_VACANT_MS while nobody holds the house, so
 * that the nodes soon know who has taken it. */
int64_t cluster_watch_pause_ms(const struct cluster *cluster);
#define CLUSTER_WATCH_MS 400
#define CLUSTER_VACANT_MS 50

/* Gives the house up, so that any node can take it at once, and says that this node is gone. With
 * `is_for_others`, this node can take the house again only after a lease's time, if no other node
 * has. Every transaction committed before is then on disk. Does nothing if the node is not
 * registered. Returns STORAGE_OK, _IO. */
enum storage_result cluster_give_up(struct cluster *cluster, bool is_for_others) MUST_CHECK;

/*
 * Gives the house up because this node cannot open its data, and stays registered. For a pause of
 * CLUSTER_PAUSE_LEASES times a lease's time, this node does not take the house, even if no other
 * node does. The pause is up to a quarter shorter or longer, so that nodes that all fail do not try
 * at the same time; it is kept in the database; a later process of this node goes on with it,
 * unless that process has another owner or another version (cluster_options). Returns STORAGE_OK,
 * _IO.
 */
enum storage_result cluster_give_up_and_pause(struct cluster *cluster) MUST_CHECK;
#define CLUSTER_PAUSE_LEASES 8

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

/* Reads the list from the database. Returns STORAGE_OK; STORAGE_REFUSED if the list was read, but
 * the database was restored from an older copy (cluster_seen); STORAGE_IO. */
enum storage_result cluster_nodes_read(struct cluster *cluster) MUST_CHECK;

/* Removes a node that will not come back. Returns STORAGE_OK; STORAGE_NOT_FOUND if there is no such
 * node; STORAGE_REFUSED if it is alive; STORAGE_IO. */
enum storage_result cluster_nodes_forget(struct cluster *cluster, int node) MUST_CHECK;

/* Has all nodes accept a database that was restored from an older copy (cluster_seen): what was
 * told since that copy is lost. Returns STORAGE_OK, _IO. */
enum storage_result cluster_nodes_accept(struct cluster *cluster) MUST_CHECK;

/* Asks the node `holder`, which holds the house, to give it up (cluster_give_up); CLUSTER_NOBODY:
 * whichever node holds it. The holder learns that from the list of nodes, and another node takes
 * the house at its next look. The node that had it may take it again only after a lease's time; a
 * later process of it gives the house up when it registers. Returns STORAGE_OK; STORAGE_NOT_FOUND
 * if that node does not hold it; STORAGE_IO. */
enum storage_result cluster_nodes_hand_over(struct cluster *cluster, int holder) MUST_CHECK;
