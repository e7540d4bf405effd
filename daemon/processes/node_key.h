#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * The ed25519 key of a node, by which the nodes of a house recognise each other. It is made once,
 * in the file `node_key` of the data folder, in OpenSSH's format, readable by its owner only.
 */
struct node_key {
    char *private_text; /* the contents of the file */
    char *public_text;  /* "ssh-ed25519 AAAA…", without a comment */
};

/* Reads the key, after making it if there is none. Returns false, with a line on the log, on
 * failure. */
bool node_key_load(struct node_key *key, const char *path) MUST_CHECK;

/* Overwrites and frees the texts. */
void node_key_clear(struct node_key *key);
