#pragma once

#include "daemon/processes/processes.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * Nodes of a house, each of them with a bridge in a process of its own. The test plays the
 * supervisor, the cores, the gates, the workers and the sessions. Every error fails the test.
 */
struct node {
    unsigned number;
    struct node_key key;
    int listener;
    uint16_t port;        /* where the bridge listens */
    char address[32];     /* where the other nodes find the bridge */
    bool is_dead;         /* lists of nodes say so */
    const char *key_told; /* the key that the list of nodes names; the right one, unless changed */
    int core[2];          /* the core's end and the bridge's end of their socket pair */
    int gate[2];          /* the core's end and the gate's end */
    int auth[2];
    pid_t bridge; /* 0 while none runs */
    FILE *log;    /* what the bridge writes to standard error; node_close copies it to the test's */
};

/* Makes a node with this number, whose bridge runs. `rekey_bytes`: after how many bytes connections
 * to it exchange keys again. */
void node_open(struct node *node, unsigned number, uint64_t rekey_bytes);
void node_close(struct node *node);

/* Kills the bridge, and starts one. */
void node_kill_bridge(struct node *node);
void node_start_bridge(struct node *node, uint64_t rekey_bytes);

/* Starts a process that passes all bytes on to the node's bridge. From now on, lists of nodes name
 * the address of that process. At its end, the connections through it break. */
pid_t node_start_relay(struct node *node);
void node_end_relay(pid_t relay);

/* Returns how many lines of the bridge's log have this event. */
unsigned node_count_logged(const struct node *node, const char *event);

/* Returns a socket that is connected to the node's bridge. */
int node_connect(const struct node *node);

/* Tells the bridge that `holder` holds the house (0: nobody), and waits for `released` if that is
 * the node itself. Knows the nodes of this list. */
void node_tell(struct node *node, unsigned holder, const struct node *const *nodes, size_t count);

/* Waits for a message of this type to the core, dropping others but `hello`; *fd becomes the
 * descriptor that came with it, or -1. The caller releases the message. */
json_t *node_expect(int socket, const char *type, int *fd);

/* Fails the test if a message of this type comes within the time. */
void node_expect_none(int socket, const char *type, int within_ms);

/* A session of the node: the test has the session's own end, and the gate's copy of the other. */
struct node_session {
    int64_t conn;
    int ends[2]; /* the gate's copy of the core's end, and the session's own end */
};

struct node_session node_make_session(const struct node *node, int number);

/* Hands the session over, as the gate does. */
void node_hand_over(const struct node *node, const struct node_session *session);

/* Plays the gate that a new core asks to start over, and that core: returns the core's end of the
 * gate, which came with the message `gate`. */
int node_attach_gate(const struct node *holder, const struct node *node);

/* Plays the core that gets a session through the gate's socket; returns the core's end. */
int node_expect_session(int gate, const struct node_session *session);

/* Sends a packet of this many bytes, which begins with the number n, and waits for room. */
void node_send_packet(int socket, uint32_t n, size_t len);

/* Receives such a packet and checks it. */
void node_expect_packet(int socket, uint32_t n, size_t len);
