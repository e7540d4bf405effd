#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * What all SSH sessions of a gate have in common: the host key and the algorithms (SECURITY.md,
 * SSH). It is made once, before the first fork.
 */
struct sshd_host;
struct config;
struct ssh_session_struct;

/* Reads an OpenSSH private key: ed25519, or RSA of at least 3072 bits; of the settings, when keys
 * are exchanged anew. NULL, with a line on the
 * log, when there is none to be had. */
struct sshd_host *sshd_host_new(const char *key_path, const struct config *config);
void sshd_host_free(struct sshd_host *host);

/* A server's end of SSH on a connected socket, which the session owns from now on (whatever comes
 * out). Non-blocking; the key exchange is still to be done. NULL, with a line on the log. */
struct ssh_session_struct *sshd_host_accept(struct sshd_host *host, int socket);

/* Does one handshake with itself, so that everything OpenSSL and libssh set up at first use is set
 * up in the memory that sessions share. False, with a line on the log, when that fails: then no
 * client could connect either. */
bool sshd_host_warm(struct sshd_host *host) MUST_CHECK;
