#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * The host key and the algorithms, which all SSH sessions of a gate share. They are made once,
 * before the first session is forked.
 */
struct sshd_host;
struct config;
struct ssh_session_struct;

/* Reads an OpenSSH private key: ed25519, or RSA of at least 3072 bits. `config` says how often a
 * connection renews its session keys. Returns NULL, with a line on the log, on failure. */
struct sshd_host *sshd_host_new(const char *key_path, const struct config *config);
void sshd_host_free(struct sshd_host *host);

/* Prepares the server's end of SSH for the next connection, before its process is forked. The
 * connection's socket will have this number. Returns false, with a line on the log, on failure. */
bool sshd_host_prepare(struct sshd_host *host, int socket) MUST_CHECK;

/* Creates the server's end of SSH on a connected socket. Takes over the socket in any case, even on
 * failure. The SSH session is non-blocking, and its key exchange is still to be done. Returns NULL,
 * with a line on the log, on failure. */
struct ssh_session_struct *sshd_host_accept(struct sshd_host *host, int socket);

/* Does one SSH handshake with a client in this process, so that all sessions share the memory that
 * OpenSSL and libssh allocate when they are first used. Returns false, with a line on the log, if
 * the handshake fails: then no client could connect either. */
bool sshd_host_do_first_handshake(struct sshd_host *host) MUST_CHECK;
