#pragma once

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"
#include "games/macros.h"

#include <libssh/callbacks.h>
#include <libssh/server.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/socket.h>

#define BRIDGE_WORKERS_MAX 8
#define BRIDGE_NODES_MAX 511

/*
 * The bridge of a node: one process, started if the house runs on several nodes. One node's core
 * holds the house. On the other nodes the bridge takes the place of the core for the node's own
 * gate and workers: it reads their sockets and those of the sessions, and carries the packets to
 * the bridge of the node that holds the house, over one SSH connection. There it gives the core a
 * socket for each, so that the core sees them like its own (README.md, "Several nodes").
 */
struct bridge_setup {
    int core_socket; /* the bridge's end of its socket pair with the core (base/base.h) */
    int gate_socket; /* a copy of the core's end of the gate's socket pair */
    unsigned worker_count;
    struct {
        int socket;       /* a copy of the core's end */
        const char *kind; /* "auth" or "bot" */
    } workers[BRIDGE_WORKERS_MAX];
    int listener;            /* listening socket for other bridges */
    const char *private_key; /* the key of this node, in OpenSSH's format; borrowed */
    uint64_t rekey_bytes;    /* the bridges exchange keys again after so many bytes */
    struct metrics metrics;  /* the page is borrowed */
};

/*
 * Serves until SIGTERM, or until the core's socket is closed; then returns 0. Opens no file and
 * makes no other sockets than TCP connections to the bridges of other nodes. Returns 1, with a line
 * on the log, if the key cannot be read.
 */
int bridge_run(const struct bridge_setup *setup) MUST_CHECK;

/*
 * What two bridges write to each other: first a greeting, then frames. A frame is a header (kind,
 * one byte; channel, eight bytes; length, four bytes; numbers are big-endian) and its bytes. A
 * channel is a socket that is carried to the other bridge: 0 is a node's gate, 1 to
 * FRAMES_CHANNEL_WORKERS are its workers, higher ones operators' programs, each with a new number,
 * and a session's channel is its connection number.
 *
 * The greeting names the version of the frames. Two bridges understand each other if their versions
 * differ by at most one; the newer one then keeps to the older version.
 */
#define FRAMES_VERSION 1
#define FRAMES_GREETING_BYTES 8
#define FRAMES_HEADER_BYTES 13
#define FRAMES_CHANNEL_GATE 0
#define FRAMES_CHANNEL_WORKERS 8 /* the highest channel of a worker */

enum frame_kind {
    FRAME_OPEN = 1, /* opens a channel; the bytes are "gate", "auth", "bot", "operator", or the
                       gate's message `connection`, which then takes its place among the packets of
                       channel 0 */
    FRAME_DATA,     /* one packet */
    FRAME_CLOSE,    /* the socket of the channel has been closed; no bytes */
    FRAME_CREDIT,   /* the receiver may be sent so many more bytes: a number of four bytes */
    FRAME_PING,     /* shows that the bridge is alive; no bytes */
    FRAME_KEY,      /* the key of the house's stored answers */
    FRAME_BEGIN,    /* the core that holds the house takes the node's processes: all channels are
                       to be opened anew. The bridge that opens them answers with the same frame,
                       and what it sent before belongs to an earlier beginning. In place of a
                       channel it has the number of the beginning, from 1; no bytes */
};

struct frame {
    enum frame_kind kind;
    uint64_t channel;
    const char *bytes; /* borrowed */
    size_t len;        /* at most PACKET_MAX */
};

/* Takes apart what arrives from another bridge. At first all is zero but the limit of `unread`, of
 * which the owner frees the memory (bytes_clear). */
struct frames_reader {
    struct bytes unread;
    size_t read_to; /* number of bytes at the start of `unread` that have been read */
    bool is_greeted;
};

enum frames_result {
    FRAMES_OK = 0,
    FRAMES_MORE, /* the next frame has not arrived completely */
    FRAMES_BAD,  /* the other end is no bridge, or one of a version that this one cannot read */
};

/* Adds bytes that have arrived. Returns false if too many are unread. */
bool frames_reader_add(struct frames_reader *reader, const char *bytes, size_t len) MUST_CHECK;

/* Reads the next frame, whose bytes are borrowed until the next frames_reader_add. */
enum frames_result frames_read(struct frames_reader *reader, struct frame *frame) MUST_CHECK;

/* Adds the greeting, or a frame, to `out`. Returns false, and adds nothing, if there is no room. */
bool frames_write_greeting(struct bytes *out) MUST_CHECK;
bool frames_write(struct bytes *out, const struct frame *frame) MUST_CHECK;

/* Writes the bytes of a FRAME_CREDIT, and reads them from a frame that frames_read has returned. */
#define FRAMES_CREDIT_BYTES 4
void frames_write_credit(char bytes[FRAMES_CREDIT_BYTES], uint32_t credit);
uint32_t frames_read_credit(const struct frame *frame);

struct bridge;

#define BRIDGE_KEY_TEXT_MAX 128

/* A node of the house, as the core tells it. */
struct bridge_node {
    unsigned node;
    bool is_alive;                   /* the database says so */
    struct sockaddr_storage address; /* of its bridge */
    socklen_t address_len;
    char key[BRIDGE_KEY_TEXT_MAX]; /* public key: "ssh-ed25519 AAAA…" */
};

/* What the core's message `nodes` says. */
struct bridge_nodes {
    unsigned self;
    unsigned holder; /* the node that holds the house; 0: none, or not known */
    int64_t turn;    /* number of the message, which the answer `released` repeats */
    size_t count;
    struct bridge_node list[BRIDGE_NODES_MAX];
};

/*
 * An SSH connection between two bridges, which carries frames. Both ends know the other's key
 * beforehand: the bridge that connects names its node as the user and signs in with its node's key,
 * and the other end shows its own node's key as the host key. There is one SSH channel, and no
 * shell, program, forwarding or other way to sign in. Everything happens in the event loop, without
 * blocking.
 *
 * Frames that SSH does not take at once wait. While more than BRIDGE_WIRE_FULL bytes wait, nothing
 * is read from the sockets that are carried; the short frames that may still come (credit, ends of
 * channels) fit in BRIDGE_WIRE_WAITING_MAX even for tens of thousands of channels. If nothing
 * arrives for BRIDGE_WIRE_SILENCE_MS, the connection ends; the owner hears of it after
 * BRIDGE_WIRE_QUIET_MS.
 */
#define BRIDGE_WIRE_HANDSHAKE_MS 10000 /* time that a connection has until its channel is open */
/* most bytes that wait to be read, beyond which the other end has broken SSH's own window of 1.3 MB
 */
#define BRIDGE_WIRE_UNREAD_MAX (4 << 20)
#define BRIDGE_WIRE_FULL (256 << 10)
#define BRIDGE_WIRE_WAITING_MAX (8 << 20)
#define BRIDGE_WIRE_PING_MS 1000
#define BRIDGE_WIRE_QUIET_MS 2000
#define BRIDGE_WIRE_SILENCE_MS 5000

struct event;

/*
 * A wire carries sockets: its channels. Packets are read from a socket only while the other bridge
 * has given credit for a packet of any size and the wire is not full; otherwise they stay in the
 * socket, and whoever sends them notices that it is full. Packets that arrive wait until their
 * socket has room, and credit is given back as they leave. So at each end at most
 * BRIDGE_CHANNEL_WINDOW wait for a socket, and one that does not read holds up no other.
 */
#define BRIDGE_CHANNEL_WINDOW (2 * packet_cost(PACKET_MAX))

struct bridge_channel {
    uint64_t id;
    int socket;
    bool is_borrowed; /* the socket stays open when the channel is closed */
    char *opening;    /* the gate's message that handed a session over; NULL: none */
    struct bridge_wire *wire;
    size_t credit;   /* what may still be sent to the other bridge */
    size_t owed;     /* credit that is to be given back to the other bridge */
    bool is_ending;  /* the other bridge has closed the channel: close it once nothing waits */
    bool is_waiting; /* in the list of channels that wait for room in the wire */
    struct packet_queue queue; /* what has arrived and waits for the socket */
    struct event *readable;
    struct event *writable;
    LIST_ENTRY(bridge_channel) in_all;
    LIST_ENTRY(bridge_channel) in_waiting;
};

LIST_HEAD(bridge_channel_list, bridge_channel);

/* What the owner is called for, from the event loop. None of these may clear the wire but
 * `ended`. */
struct bridge_wire_calls {
    /* The other end has proved to be this node. NULL: the owner does not want to know. */
    void (*opened)(void *context, unsigned node);
    /* Takes a frame that concerns no channel, or any while no sockets are carried. Returns false if
     * the other bridge broke the rules: then the wire ends. */
    bool (*take_frame)(void *context, const struct frame *frame);
    /* Nothing has arrived for BRIDGE_WIRE_QUIET_MS; or something arrives again. NULL: the owner
     * does not want to know. */
    void (*silence)(void *context, bool is_silent);
    void (*ended)(void *context, const char *why);
    /* Offers a packet that was read from the gate's socket, with the descriptor that came with it
     * (-1: none). Returns true if the owner has handled the packet and taken over the descriptor;
     * false to carry the packet as it is. NULL: all are carried. */
    bool (*take_packet)(void *context, struct bridge_channel *gate, const char *bytes, size_t len,
                        int fd);
    /* The socket of a channel has been closed by its other end, or after the other bridge had
     * closed the channel. The channel is removed afterwards. */
    void (*closed)(void *context, const struct bridge_channel *channel);
};

/*
 *     connecting ─► greeting ─► signing in ─► opening ─► open      the end that connects
 *                   greeting ─────────────► opening ─► open        the end that accepts
 */
enum wire_state {
    WIRE_NONE,
    WIRE_CONNECTING,
    WIRE_GREETING,
    WIRE_SIGNING_IN,
    WIRE_OPENING,
    WIRE_OPEN,
};

/* The owner sets the first three members, and may begin to carry sockets once the wire is open. */
struct bridge_wire {
    struct bridge *bridge;                 /* borrowed */
    const struct bridge_wire_calls *calls; /* borrowed, with the context that they get */
    void *context;
    bool is_carrying; /* the wire may have channels */

    enum wire_state state;
    const struct bridge_node *holder; /* the node that was connected to; NULL: it has connected */
    int socket;                       /* closed by libssh once it has a session */
    int watched; /* a copy of the socket for the event loop, since libssh may close the socket in
                    any call */
    ssh_session session;
    ssh_event event;
    ssh_channel channel;
    struct ssh_channel_callbacks_struct channel_calls;
    struct ssh_server_callbacks_struct server_calls;
    unsigned node; /* the node that has signed in; 0: none yet */
    unsigned sign_ins;
    bool has_received; /* since this was last set to false */
    struct frames_reader reader;
    struct bytes waiting;
    bool is_silent;         /* nothing has arrived for BRIDGE_WIRE_QUIET_MS */
    int64_t heard_ms;       /* when bytes last arrived, monotonic */
    int64_t opened_ms;      /* when the wire was opened; 0: it was not */
    struct event *readable; /* also looks at the wire when it was woken */
    struct event *writable;
    struct event *timer;
    const char *why; /* why the wire ends; NULL: it does not */

    void *by_id; /* search tree of the channels (tsearch(3)) */
    struct bridge_channel_list channels;
    struct bridge_channel_list waiting_channels; /* those that wait for room */
};

/* Begins to connect to the holder, which is borrowed, or serves a connection that was accepted. The
 * wire must not move until it is cleared. Errors are told by `ended`. */
void bridge_wire_connect(struct bridge_wire *wire, const struct bridge_node *holder);
void bridge_wire_accept(struct bridge_wire *wire, int socket);

/* Closes the connection and all channels without a further call. Does nothing if the wire is not
 * connected. */
void bridge_wire_clear(struct bridge_wire *wire);

/* Sends a frame, once the wire is open. */
void bridge_wire_send(struct bridge_wire *wire, const struct frame *frame);

/* Ends the wire soon: calls `ended` from the event loop. `why` is a constant. */
void bridge_wire_end(struct bridge_wire *wire, const char *why);

/* Closes all channels without telling anybody; from now on the wire may have none. */
void bridge_channels_clear(struct bridge_wire *wire);

/* Adds a channel, whose id must be new, and begins to read from its socket. The other bridge must
 * have been told by FRAME_OPEN, or have told. Unless the socket is borrowed, takes it over. */
struct bridge_channel *bridge_channels_add(struct bridge_wire *wire, uint64_t id, int socket,
                                           bool is_borrowed);
struct bridge_channel *bridge_channels_find(const struct bridge_wire *wire, uint64_t id);

/* Sends a frame that counts as a packet of this channel. */
void bridge_channel_send_frame(struct bridge_channel *channel, const struct frame *frame);

/* Gives a packet that has arrived to the channel's socket. Takes over the descriptor. Returns false
 * if it exceeds the credit that the other bridge had. */
bool bridge_channel_deliver(struct bridge_channel *channel, const char *bytes, size_t len,
                            int fd) MUST_CHECK;

/*
 * The bridge of a node that does not hold the house: carries the packets of the node's gate,
 * workers and sessions to the bridge of the node that does, from when that says that its core takes
 * them (FRAME_BEGIN), and anew when it says so again. When the connection is lost, reads nothing
 * more, and closes only its own copies of the sessions' sockets: the gate keeps others, and hands
 * all sessions over again when the next core asks it to start over, as after a restart of the core.
 * Tells the gate that the house is away when the connection is lost or silent, or when the core of
 * that node ends.
 */
struct bridge_away {
    struct bridge_node holder; /* the node that holds the house; 0: none, or the own node */
    struct bridge_wire wire;
    bool is_cut_logged; /* the log says that the wire is cut; nothing was carried since */
    int64_t pause_ms;   /* pause before the next attempt to connect */
    uint64_t operators; /* operators' programs that were carried so far */
    struct event *next; /* begins the next attempt */
};

/* Most connections, of strangers and of nodes' addresses each, that have not proved yet which node
 * they come from. */
#define BRIDGE_HOME_UNPROVED_MAX 16

/*
 * The bridge of the node that holds the house: accepts connections from the bridges of other nodes,
 * and gives the core a socket for each gate, worker and session that they carry. While the own node
 * does not hold the house, connections are closed at once. When a core ends, the connections stay,
 * and all begins anew (FRAME_BEGIN) as soon as the next core takes the processes of other nodes.
 *
 * A node that cannot be reached by the others should not hold the house. So if, of the nodes that
 * are alive, fewer than half are connected for BRIDGE_HOME_ALONE_MS, the own one counted in, the
 * core is asked to leave the house to another node. If that node is no better off, as when no node
 * reaches any other, the house would go round for ever: so each node asks only once in
 * BRIDGE_HOME_ASKS_EVERY_MS.
 */
#define BRIDGE_HOME_ALONE_MS 5000
#define BRIDGE_HOME_ASKS_EVERY_MS 600000

struct bridge_home {
    LIST_HEAD(bridge_guests, bridge_guest) guests;
    bool is_open;        /* the core takes the processes of other nodes */
    bool is_told;        /* the core knows `reached` */
    unsigned reached;    /* other nodes that are alive and connected */
    struct event *alone; /* waits while these are fewer than half */
    int64_t
        asked_ms; /* when the core was last asked to leave the house to another node, monotonic */
    struct event *accept;
    struct event *resume; /* accepts again after a pause */
};

#define BRIDGE_HOUSE_KEY_MAX 128 /* longest key of the stored answers, in hex */

/* The state that the files of the bridge share. */
struct bridge {
    const struct bridge_setup *setup;
    struct event_base *base;
    ssh_bind bind;
    ssh_key key; /* of this node; the bind has a copy of its own */
    struct bridge_nodes nodes;
    char house_key[BRIDGE_HOUSE_KEY_MAX + 1]; /* key of the stored answers, in hex; "": not known */
    struct bridge_away away;
    struct bridge_home home;
    struct packet_queue to_core; /* messages that wait until the core's socket has room */
    struct event *from_core, *core_has_room, *stop, *life;
    char buffer[PACKET_MAX]; /* for a packet that was received, until it is handled */
};

/* Reads the node's private key and sets the algorithms, which all connections share. Returns false,
 * with a line on the log, on failure. */
bool bridge_ssh_begin(struct bridge *bridge) MUST_CHECK;
