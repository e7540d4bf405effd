#pragma once

#include "games/macros.h"

#include <stddef.h>
#include <sys/socket.h>

struct bridge_ssh_host;
struct event_base;

/*
 * The SSH connection between two bridges, of which both ends know the other's key beforehand: the
 * bridge that connects names its node as the user and signs in with its node's key, and the other
 * end shows its own node's key as the host key. There is one channel, and no shell, program,
 * forwarding or other way to sign in. Everything happens in the event loop, without blocking.
 */
struct bridge_ssh;

#define BRIDGE_SSH_TIMEOUT_MS 10000 /* time that a connection has until its channel is open */
/* most bytes that wait to be read by the owner, beyond which the other end has broken SSH's own
 * window of 1.3 MB */
#define BRIDGE_SSH_UNREAD_MAX (4 << 20)

/* What the owner of a connection is called for, from the event loop. Only `ended` may free the
 * connection. */
struct bridge_ssh_calls {
    /* Returns the key, in the form "ssh-ed25519 AAAA…", with which this node must sign in; NULL if
     * there is no such node. Only for accepted connections. */
    const char *(*find_key)(void *context, unsigned node);
    /* The other end has proved to be this node, and the channel is open. */
    void (*opened)(void *context, unsigned node);
    void (*received)(void *context, const char *bytes, size_t len);
    void (*writable)(void *context); /* there may be room to write again */
    void (*ended)(void *context, const char *why);
    void *context;
};

/* Where to connect. The texts are borrowed for the call. */
struct bridge_ssh_target {
    struct sockaddr_storage address;
    socklen_t address_len;
    unsigned self;   /* number of the own node */
    unsigned node;   /* number of the node at the other end */
    const char *key; /* key that the other end must have */
};

/* Begins to connect to another bridge. Never returns NULL: errors are told by `ended`. */
struct bridge_ssh *bridge_ssh_connect(struct bridge_ssh_host *host, struct event_base *base,
                                      const struct bridge_ssh_target *target,
                                      const struct bridge_ssh_calls *calls);

/* Serves a connection that was accepted; takes over the socket. Never returns NULL. */
struct bridge_ssh *bridge_ssh_accept(struct bridge_ssh_host *host, struct event_base *base,
                                     int socket, const struct bridge_ssh_calls *calls);

/* Closes the connection, without a further call. Ignores NULL. */
void bridge_ssh_free(struct bridge_ssh *ssh);

/* Writes as many bytes as SSH takes now; returns their number. Calls `writable` once there is room
 * for the others. */
size_t bridge_ssh_write(struct bridge_ssh *ssh, const char *bytes, size_t len);
