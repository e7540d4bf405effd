#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>

struct ssh_key_struct;
struct ssh_session_struct;

/* The key of the own node and the algorithms, which all SSH connections of a bridge share. */
struct bridge_ssh_host;

/* Reads the node's private key, in OpenSSH's format. The connections that this bridge accepts
 * exchange keys again after `rekey_bytes`, and after an hour. Returns NULL, with a line on the log,
 * on failure. */
struct bridge_ssh_host *bridge_ssh_host_new(const char *private_key, uint64_t rekey_bytes);
void bridge_ssh_host_free(struct bridge_ssh_host *host);

/* Make the end that accepts a connection, and the end that has connected as node `self`; neither
 * blocks. The SSH session takes over the socket, once ssh_connect is called on it in the second
 * case. Return NULL, with a line on the log, on failure: then the end that accepts has closed the
 * socket. */
struct ssh_session_struct *bridge_ssh_host_make_server(struct bridge_ssh_host *host, int socket);
struct ssh_session_struct *bridge_ssh_host_make_client(int socket, unsigned self);

/* Signs in with the node's key; returns what ssh_userauth_publickey returns. */
int bridge_ssh_host_sign_in(struct bridge_ssh_host *host, struct ssh_session_struct *session);

/* True if `text` ("ssh-ed25519 AAAA…", perhaps with a comment) is this public key. */
bool bridge_ssh_host_is_same_key(struct ssh_key_struct *key, const char *text);
