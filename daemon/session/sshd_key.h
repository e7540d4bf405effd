#pragma once

#include <stdbool.h>

struct ssh_key_struct;

/*
 * True for the kinds of keys that may sign in: ed25519 and ecdsa, either of them also on a hardware
 * token, and RSA of 2048 to 16384 bits. libssh refuses the signature of any other key, but sends no
 * reply. Such a key must therefore be refused when it is offered. Otherwise its owner, whose client
 * may have a better key or a password to try next, would wait until the time for signing in is
 * over.
 */
bool sshd_key_is_accepted(struct ssh_key_struct *key);
