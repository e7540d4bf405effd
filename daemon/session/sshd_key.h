#pragma once

#include <stdbool.h>

struct ssh_key_struct;

/*
 * Whether somebody may sign in with a key like this (SECURITY.md, SSH): ed25519, ecdsa, either of
 * them in hardware, RSA of 2048 to 16384 bits. libssh refuses the signature of any other, but
 * without an answer: such a key has to be refused when it is offered, or its owner, whose client
 * may well have a better key or a password to try next, waits until the time for signing in is
 * over.
 */
bool sshd_key_is_welcome(struct ssh_key_struct *key);
