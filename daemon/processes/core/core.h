#pragma once

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "games/macros.h"
#include "lobby/house/house.h"
#include "storage/cluster/cluster.h"
#include "storage/storage.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#define CORE_WORKERS_MAX 9
#define CORE_KEY_BYTES 32
#define CORE_FATAL_MAX 16
#define CORE_GAVE_UP_HOUSE 3 /* exit status, see core_run */
#define CORE_IS_LOADING 'L'  /* see core_setup.ready_fd */
#define CORE_IS_WAITING 'W'
#define CORE_IS_READY '\0'

/*
 * The core: one thread with the house and its data. In each pass of its loop the core receives what
 * has arrived, applies the changes, commits, and sends what is durable. Its sockets are ends of
 * socket pairs (base/base.h) and outlive the core: the next core is given the same sockets and asks
 * every peer to start over.
 */
struct core_setup {
    const char *database;        /* path of the database, unless [storage] url names another */
    const struct config *config; /* settings of the house; borrowed */
    int ready_fd; /* receives a byte once the data are loaded or this node waits for the house, and
                     from then on several within each [limits] core_silence_s, as signs that the
                     core does not hang; CORE_IS_LOADING if it then loads the data, which may take
                     long; CORE_IS_WAITING, also as a sign of life, if it waits because it cannot
                     use its data; -1: none */
    const char *backups;     /* folder of the backups, made when needed; NULL: no backups */
    const char *program;     /* program that a reload runs; NULL: reloads are not
                                checked     beforehand */
    const char *const *args; /* arguments of the program */
    int control_socket;      /* listening socket for operators; -1: none */
    bool was_open; /* an earlier core was ready: the house stays open, whatever happens to its data
                    */
    int gate_socket;
    int bridge_socket;    /* socket pair with the bridge; -1: the house has one node */
    const char *node_key; /* public key of this node, "ssh-ed25519 AAAA…"; NULL if the house has one
                             node. Borrowed */
    const uint8_t *answers_key; /* key of CORE_KEY_BYTES for the answers that are stored encrypted,
                                   the same for every core of a house; borrowed */
    struct metrics metrics;     /* the page is borrowed */
    const uint64_t *fatal;      /* CORE_FATAL_MAX numbers of packets at which two cores in
                                   a row died; 0: none. NULL: none at all. Borrowed */
    bool has_died; /* the core before died of a packet: this one ends a pass after each packet at
                      first, so that its death would tell of which */
    unsigned worker_count;
    struct {
        int socket;
        enum peer kind; /* PEER_AUTH, _BOT or _HOOK */
    } workers[CORE_WORKERS_MAX];
};

/*
 * Serves until a signal or the end of the gate. With a bridge, first waits until the own node holds
 * the house and the bridge reads none of the own sockets any more.
 *
 * After SIGUSR1, ends in good order without telling anybody, so that another core can continue.
 * After SIGTERM, or once every process that has the gate's end of the socket pair open has closed
 * it, says goodbye to all sessions and closes the data. In all these cases first waits, at most
 * CORE_SETTLE_MAX_MS, until what was committed is durable and told, and returns 0.
 *
 * With [storage] url, first waits until this node may open the house. If the node is
 * asked to give the house up, ends as after SIGUSR1, gives it up and returns CORE_GAVE_UP_HOUSE:
 * the next core waits while another node has it.
 *
 * If another process has the data file open, waits until it can open the file. In
 * a house that was open before, it waits whatever the reason. Otherwise returns 1, with a line on
 * the log, if the data cannot be opened or read; a new process would fail the same way.
 *
 * If a commit fails, or cannot be made durable, ends at once by abort(): nobody has been told about
 * data that are not durable, and a new core continues from the data that are. A full disk is no
 * such failure (house_commit).
 */
int core_run(const struct core_setup *setup);

struct core;
struct core_bridge;

/*
 * The core's side of its protocol with the bridge of its node (PROTOCOL.md, "The bridge"). The core
 * tells the bridge the nodes of the house, and which of them holds it. Before a core opens the
 * house, it waits until the bridge has released the sockets of the own gate and workers, which the
 * bridge reads while another node holds the house. From then on the bridge gives the core the
 * sockets of other nodes.
 *
 * In a house of one node there is no bridge, and nothing to tell, to wait for or to reach.
 */

/* Begins to listen to the bridge, in the core's event loop. The house need not be open. */
void core_bridge_begin(struct core *core, int socket);

/* Also closes the socket. */
void core_bridge_end(struct core_bridge *bridge);

/* Tells the bridge the nodes, now and whenever a bridge starts; CLUSTER_NOBODY as the holder: none.
 * If the holder is the own node, bridge->is_released is false until the bridge has answered
 * this. The list is borrowed for the call. */
void core_bridge_tell_nodes(struct core_bridge *bridge, int self, int holder,
                            const struct cluster_node *nodes, size_t count);

/* Gives the bridge a copy of the socket of an operator's program, which it carries to the house; if
 * it cannot, it sends the program the refusal, a message. Returns false if the bridge takes nothing
 * at present. */
bool core_bridge_give_operator(const struct core_bridge *bridge, int socket, const char *refusal);

/* Has the bridge tell the node's gate that this core cannot use its data, unless another node holds
 * the house and the bridge carries the gate there. Only for a node that has a bridge. */
void core_bridge_tell_waiting(const struct core_bridge *bridge);

/* The house is open now: takes the sockets of other nodes, which wait until this call. */
void core_bridge_serve_nodes(struct core_bridge *bridge);

/* Replaces the key of the stored answers by the one that the last holder of the house has used,
 * unless this node was never connected to a holder, and tells it to the other nodes. Only for the
 * core that holds the house. */
void core_bridge_share_answers_key(struct core_bridge *bridge, uint8_t key[CORE_KEY_BYTES]);

/* Returns the part of the configuration that the lobby uses; its texts are borrowed. */
struct house_config core_config_make_lobby_part(const struct config *config);

struct link;

/*
 * Packets that kill the core. A session repeats its unanswered requests to the next core, and a
 * gate hands its sessions over again: if one of these packets kills each core, the house would give
 * up. So the core says on the page of metrics which packet it works on (life_set_work), the
 * supervisor reads that when the core has died, and after two deaths in a row at the same packet
 * the next cores get its number (core_setup.fatal).
 */

struct keeper;

/*
 * Makes the backups and prepares the reloads that the house asks for. The house sends the keeper
 * messages as it does to other processes, but the keeper is a part of the core's process. A backup
 * is copied in small steps between passes of the core's loop, checked by a separate process, and
 * kept only if it passes:
 *
 *     idle ──`backup`──► copying ──► checking ──► `backed_up`, idle
 */

/* Connects the keeper to the house. Aborts if memory runs out. */
struct keeper *keeper_new(struct core *core);

/* Frees the keeper and abandons a backup or reload check that is not finished. Accepts NULL. */
void keeper_free(struct keeper *keeper);

/* Handles a request that the house sends to the keeper: for a backup, a reload or the end of the
 * house. */
void keeper_receive(struct keeper *keeper, const char *json, size_t len);

/* Takes the next step of a backup or of a check before a reload, if a step is due. Must not be
 * called within a transaction. Returns true if the house was sent a message. */
bool keeper_do_due_steps(struct keeper *keeper) MUST_CHECK;

struct core_lease;

/*
 * The core of a house whose data are in a PostgreSQL database ([storage] url), which several nodes
 * may share: it opens the house only while its node holds the lease of it (storage/cluster/).
 *
 *     connect ──> register ──> watch ──> holds ──> [the bridge releases its sockets] ──> opens
 *        ^            │          │                                                         │
 *        └── pause <──┴──────────┘                          a barrier fails: the core ends │
 *                                                           and its successor begins here <┘
 *
 * A holder that is asked to give the house up (`trickhouse cluster handover`), or that too few
 * nodes reach, ends in good order.
 *
 * The core talks to the database itself, instead of through another process: it needs the answer of
 * each statement before it can go on, and another process would add its own waiting time to each.
 * For this it may make outgoing connections (REACH_DATABASE), which the cores of other houses may
 * not.
 */

/* Sets the gauges that say who holds the house. Takes NULL. */
void core_lease_measure(const struct core_lease *lease, const struct metrics *gauges);

/*
 * What the core tells the supervisor through core_setup.ready_fd: that it is ready, and from then
 * on that it does not hang. A ready core serves the house, or waits until its node may
 * do so.
 */

/* Returns for how long a core may give no sign of life before the supervisor ends it: [limits]
 * core_silence_s, but with the data in PostgreSQL less than a lease's time, since then another node
 * takes the house, and this one's sessions must follow it. 0: for ever. */
int64_t core_life_silence_limit_ms(const struct config *config);

/* Reports that the core is ready (CORE_IS_READY), or that it waits because it cannot use its data
 * (CORE_IS_WAITING), and gives signs of life from now on. Does nothing if that was reported last.
 * Aborts if memory runs out. */
void core_life_report(struct core *core, char sign);

struct event;
struct event_base;

/* Why the core closes its connection to a peer at the end of a pass of the core's loop. */
enum link_end {
    LINK_LIVES = 0,
    LINK_GONE,      /* the peer has closed its end */
    LINK_DISMISSED, /* the house has sent the peer a `bye` */
    LINK_UNFIT,     /* the peer broke the protocol */
};

/*
 * The core's end of a peer's socket. Packets that cannot be sent at once wait in a bounded queue;
 * no function blocks. Marks record what happened to a link during a pass of the core's loop. The
 * core acts on the marks at the end of the pass.
 */
struct link {
    int64_t conn;
    enum peer kind;
    int socket; /* -1: the link is away, since the connection with its node is lost
                 */
    void *owner;
    int64_t gate;          /* for a session: number of the gate that has handed it over */
    bool is_adopting;      /* for a gate: the sessions that it hands over now were connected to an
                              earlier      core; false after connections_end */
    char *opening;         /* for a session of this node: the gate's message that handed it over */
    bool has_left;         /* for a session of another node: its process has ended */
    int64_t reload_id;     /* for an operator while the core waits: request for a reload whose check
                              still runs; 0: none */
    int64_t away_until_ms; /* when the core gives up a link that is away, monotonic */
    bool awaits_hello; /* messages before the peer's `hello` were meant for an earlier core: ignore
                          them */
    bool is_lost; /* a packet did not fit the queue; until the `resync` of the house, nothing is
                     sent */
    enum link_end end; /* why the link must be closed; LINK_LIVES if it stays open */
    struct links *set;
    LIST_ENTRY(link) in_all;
    bool is_touched; /* in the list of links that have gathered packets, or are marked */
    LIST_ENTRY(link) in_touched;
    struct event *readable;
    struct event *writable;
    struct packet_queue unsent;
};

LIST_HEAD(link_list, link);

struct links {
    void *by_conn; /* search tree of the links by connection number (tsearch(3)) */
    struct link_list all;
    struct link_list touched;
    size_t unsent_max; /* limit of what each link's unsent packets cost; more than PACKET_MAX */
    bool is_paused;    /* see links_pause_reading */
};

typedef void link_read_handler(int socket, short events, void *link);

/* Makes a link for a socket and adds it to the set. The connection number must be new. Takes over
 * the socket, which link_free closes. The event loop of `base` calls `on_readable` with the link.
 * Aborts if memory runs out. */
struct link *link_new(struct links *set, struct event_base *base, int socket, int64_t conn,
                      enum peer kind, link_read_handler *on_readable);
void link_free(struct link *link);

/* Closes the link's socket, but keeps the link, which is now away: what is sent to it is dropped.
 */
void link_detach(struct link *link);

/* Returns the link with this connection number, or NULL. */
struct link *link_find(const struct links *set, int64_t conn);

/* Sends or queues one packet of at most PACKET_MAX bytes. If the queue has no room for the packet,
 * empties the queue and marks the link: a packet was lost. Does not notice that the peer has closed
 * its end; only reading does. */
void link_send(struct link *link, const char *json, size_t len);

/* Like link_send, but sends the packet at the next links_send_gathered of the set, or the next
 * link_send to this link. So a peer gets all that one turn of the house has for it at once, and is
 * woken once. */
void link_gather(struct link *link, const char *json, size_t len);
void links_send_gathered(struct links *set);

/* Sends a message like link_send; takes over the reference. Aborts if memory runs out. */
void link_send_json(struct link *link, json_t *message);

/* Tells a session or an operator why the connection ends; takes over the reference of the sentence
 * (lobby/house/words.h). */
void link_send_goodbye(struct link *link, json_t *why);

/* Tells a peer to start over, because the core is new, or because the house has forgotten the
 * peer's earlier messages at another house_connect. What the peer sends before its next `hello` is
 * ignored. */
void link_ask_to_start_over(struct link *link);

/* Marks the link to be closed at the end of the pass, and stops reading from it. */
void link_end(struct link *link, enum link_end why);

/* Removes one link from the list of marked links and returns it; NULL if there is none. The marks
 * of the link stay set. */
struct link *link_take_next_marked(struct links *set);

/*
 * The core's part of the metrics: it counts for the house, measures the gauges every
 * [metrics] every_s seconds, and then writes all metrics to [metrics] file. It gives a sign of life
 * every LIFE_EVERY_MS (metrics.h).
 */
struct core_metrics;

/* Makes the house count (house_config.measure); call it before house_new. */
void core_metrics_configure_house(struct core *core, struct house_config *config);

/* Measures for the first time, and starts the timers. Aborts if memory runs out. */
struct core_metrics *core_metrics_new(struct core *core);

/* Stops the timers. Takes NULL. */
void core_metrics_free(struct core_metrics *metrics);

/* A pass of the core's loop begins with the first event that has arrived; the moves of the pass
 * count as received then. It is committed, perhaps more than once, and ends when everybody has been
 * told of what is durable; its moves may become durable, and be told, in a later pass. */
void core_metrics_begin_pass(struct core *core);

/*
 * The gates, workers and sessions of other nodes, which the bridge has connected.
 *
 * If the connection between the nodes is lost, all their sockets close at once. The sessions then
 * still run, and their gate hands them over again when it is connected again. So a link to such a
 * session stays for CORE_NODES_AWAY_MS without a socket: for the house, that is a session that
 * does not read. The bridge says if a session's process has really ended.
 *
 * After the start of a core, the house forgets the stored connections that no gate hands over. With
 * several nodes, that waits until the gates of all nodes have handed over theirs, but no longer
 * than CORE_NODES_AWAY_MS.
 */
#define CORE_NODES_AWAY_MS 15000

/* The numbers of the gates and workers of other nodes are above those of all sessions. */
#define CORE_NODES_CONNS ((int64_t)1 << 58)

struct core_nodes {
    bool is_awaiting;        /* gates still have to hand over their sessions to this new core */
    bool has_own_gate_ended; /* the own gate has handed over its sessions */
    bool is_expected[CLUSTER_NODE_MAX + 1]; /* nodes whose gates have not handed over theirs */
    int64_t await_until_ms;                 /* when the house is told all the same, monotonic */
};

/* Called once a second while the house is open: ends the links that are away for too long, and
 * tells the house when it was waited long enough for the gates. */
void core_nodes_look(struct core *core);

/* True if the link is a gate or worker of another node. */
static inline bool core_nodes_is_of_other_node(const struct link *link)
{
    return link->conn >= CORE_NODES_CONNS;
}

/* True if this gate may hand over a session with this number. */
bool core_nodes_may_hand_over(const struct link *gate, int64_t conn);

/* The gate has sent connections_end. Returns true if the house is to be told now. */
bool core_nodes_end_hand_over(struct core *core, const struct link *gate);

/* If the socket of a session has closed only because the connection with its node is lost, keeps
 * the link without a socket, and returns true. */
bool core_nodes_keep_link(struct core *core, struct link *link);

/* Connects to the house an operator's program that was connected to this node while it waited for
 * the house, and asks it to start over. Takes over the socket. */
void core_operators_take_over(struct core *core, int socket_fd);

/* Ends a pass of the core's loop: commits the changes, then sends the messages of all turns that
 * are durable (house_commit). If a peer has fallen so far behind that a packet for it must be
 * dropped, tells the house, and commits and sends again. */
void core_finish_pass(struct core *core);

/* Makes a peer's link and starts reading from it. Takes over the socket. The caller then calls
 * house_connect. */
struct link *core_add_link(struct core *core, int socket, int64_t conn, enum peer kind);

/*
 * The check before a reload: a separate process runs `serve … --check` with the new program, which
 * is the file that is now at the path of the running one. It tries what the reload needs
 * (daemon/cli/cli.h). The core runs the check so that the person who asked for the reload
 * learns of errors at once. The supervisor runs it again, for people who signal it directly.
 */
struct core_reload {
    const char
        *program; /* path of the program, borrowed; NULL: reloads are not checked beforehand */
    const char *const
        *args; /* arguments of the program, beginning with `serve` and ended by NULL; borrowed */
    pid_t checker;      /* process id of the check; 0: none is running */
    int said;           /* file in memory with the output of the check */
    int64_t started_ms; /* when the check was started, monotonic */
};

#define CORE_RELOAD_WHY_MAX 1024

/* A check that takes longer is ended, and counts as failed. Below the time for which `trickhouse
 * reload` waits. */
#define CORE_RELOAD_CHECK_MS 8000

enum core_reload_result {
    CORE_RELOAD_NONE = 0, /* the check is still running, or none was */
    CORE_RELOAD_GOOD,     /* the supervisor is told to reload */
    CORE_RELOAD_REFUSED,  /* the check has failed; `why` lists the reasons, one per line, in UTF-8,
                             and the log says so too; otherwise `why` is unchanged */
};

/* Starts the check unless it is running. */
enum core_reload_result core_reload_order(struct core_reload *reload,
                                          char why[CORE_RELOAD_WHY_MAX]);

/* Call this when a child process has ended. */
enum core_reload_result core_reload_finish_check(struct core_reload *reload,
                                                 char why[CORE_RELOAD_WHY_MAX]);

/* Runs a whole check, and waits for its end. Returns false with the reasons in `why`. */
bool core_reload_check(struct core_reload *reload, char why[CORE_RELOAD_WHY_MAX]) MUST_CHECK;

/* Stops a running check and ignores its result. */
void core_reload_stop_check(struct core_reload *reload);

/*
 * For a storage whose commits become durable later (storage_settle): limits how many turns are not.
 * With SQLite these functions do nothing.
 */

/* Called after each pass of the core's loop. Stops reading from the peers while
 * HOUSE_UNSETTLED_TURNS_MAX turns are not durable, and goes on once fewer are. */
void core_settle_limit_turns(struct core *core);

/* Called before the core ends in good order: receives nothing more, and waits until every turn is
 * durable and told. Gives up after CORE_SETTLE_MAX_MS: the next core tells what is durable then. */
void core_settle_finish(struct core *core);

#define CORE_SETTLE_MAX_MS 3000

/*
 * The file `timeline` in the data folder: the highest timeline of a PostgreSQL server and the most
 * steps that the cores of this node know (struct cluster_seen). A new core begins
 * after each failover of the database, so the numbers must outlive it.
 */
/* Returns the path of the file in the folder of the database file. Release it with free(). */
char *core_timeline_make_path(const char *database);

/* Returns the numbers; 0 for those that are not in the file. */
struct cluster_seen core_timeline_read(const char *path);

/* Writes the numbers; logs a failure, after which a later core may trust a former primary, whose
 * commits then do not become durable, or a database that was restored from an older copy. */
void core_timeline_write(const char *path, struct cluster_seen seen);

/* Reads a packet of an operator while the house is not open. */
void core_waiting_read(struct core *core, struct link *link);

/* Why the core waits before it has tried anything. */
#define CORE_WAITING_NOT_REACHED "the house has not reached its data yet"
